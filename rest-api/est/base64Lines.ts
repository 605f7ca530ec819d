/** Base64 in lines of 64 characters, which every decoder reads: some refuse longer ones (RFC 8951, section 3.1, leaves them to us). */
export function base64Lines(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll(/.{1,64}/g, '$&\n');
}
