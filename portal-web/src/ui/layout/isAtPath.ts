/** Whether the page at this pathname is the one at this address, whatever it shows of it. */
export function isAtPath(pathname: string, address: string): boolean {
  return pathnameOf(address) === pathname.replace(/\/$/, '');
}

/** An address without its query and its fragment. */
export function pathnameOf(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? '';
}
