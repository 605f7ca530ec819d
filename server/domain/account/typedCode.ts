/** A code as it is compared: case, blanks and dashes do not matter, and letters that look like digits are read as those digits. */
export function plainCode(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/[il]/g, '1')
    .replace(/o/g, '0');
}

/** Whether the text has the form of a code with so many letters and digits, however it is typed. It says nothing about whether the code exists. */
export function hasCodeForm(typed: string, length: number): boolean {
  return typed.length <= 4 * length && new RegExp(`^[0-9a-hjkmnp-tv-z]{${length}}$`).test(plainCode(typed));
}
