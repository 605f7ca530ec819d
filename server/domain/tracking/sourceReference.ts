/**
 * Whether the text may be the order-tracking service's own key of an order or vehicle, or its reference to a user: 1 to 200 visible ASCII
 * characters, opaque to us. Only its HMAC is ever stored.
 */
export function isSourceReference(text: string): boolean {
  return /^[\x21-\x7e]{1,200}$/.test(text);
}
