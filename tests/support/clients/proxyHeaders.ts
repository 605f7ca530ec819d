const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** A header of the PROXY protocol, version 2, as a balancer sends it. */
export function proxyV2(command: number, family: number, following: readonly number[]): Buffer {
  const fixed = Buffer.of(command, family, following.length >> 8, following.length & 0xff);
  return Buffer.concat([signature, fixed, Buffer.from(following)]);
}

/** The header for a caller with this IPv4 address. */
export function proxyV2For(address: string): Buffer {
  return proxyV2(0x21, 0x11, [...address.split('.').map(Number), 127, 0, 0, 1, 0xc0, 0, 0x20, 0xfb]);
}
