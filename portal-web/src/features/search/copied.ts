/** Copies a value, and says so. `what` begins the sentence. */
export async function copied(value: string, what: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(value);
    return `${what} is copied: ${value}`;
  } catch {
    return `Your browser did not allow copying. ${what}: ${value}`;
  }
}
