/** One element. Its views are made where they are asked for, because a revocation list has a hundred thousand elements. */
export class DerElement {
  readonly #der: Buffer;
  readonly #at: number;
  readonly #start: number;
  readonly #end: number;

  constructor(der: Buffer, at: number, start: number, end: number) {
    this.#der = der;
    this.#at = at;
    this.#start = start;
    this.#end = end;
  }

  get tag(): number {
    return this.#der[this.#at] ?? 0;
  }

  /** How many bytes its contents have. */
  get length(): number {
    return this.#end - this.#start;
  }

  get contents(): Buffer {
    return this.#der.subarray(this.#start, this.#end);
  }

  get bytes(): Buffer {
    return this.#der.subarray(this.#at, this.#end);
  }

  /** The elements of which it consists. Throws RangeError if it consists of anything else. */
  elements(): DerElement[] {
    return elementsBetween(this.#der, this.#start, this.#end);
  }
}

/**
 * The elements that follow one another in `der` (X.690: definite, shortest lengths; single-byte tags). Throws RangeError on anything else.
 * It exists because a parser that decodes strings cannot show the bytes that were sent.
 */
export function derElements(der: Buffer): DerElement[] {
  return elementsBetween(der, 0, der.length);
}

/** The elements in one that must have this tag. Throws RangeError if it is missing or has another one. */
export function elementsIn(element: DerElement | undefined, tag: number): DerElement[] {
  if (element?.tag !== tag) throw new RangeError('not the element that belongs here');
  return element.elements();
}

function elementsBetween(der: Buffer, from: number, to: number): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = from; at < to;) {
    const tag = der[at] ?? 0;
    const first = der[at + 1];
    if (first === undefined || at + 1 >= to || (tag & 0x1f) === 0x1f) throw new RangeError('not a DER element');
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    const start = at + 2 + lengthBytes;
    if (first === 0x80 || lengthBytes > 3 || to < start) throw new RangeError('not a DER length');
    const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
    const shortest = length < 0x80 ? 0 : length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
    const end = start + length;
    if (lengthBytes !== shortest || end > to) throw new RangeError('not a DER length');
    elements.push(new DerElement(der, at, start, end));
    at = end;
  }
  return elements;
}
