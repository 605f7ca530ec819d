import { setImmediate } from 'node:timers/promises';
import type { CsrRefusal } from './csrRefusals.ts';

/** A reason why anybody can calculate the private key from an RSA modulus, with what the words about it mention. */
type RsaWeakness = { readonly reason: Extract<CsrRefusal, `rsa${'Roca' | 'ClosePrimes' | 'SmallFactor'}`>; readonly detail: string };

const smallFactorsBelow = 2 ** 16;
const fermatSteps = 100;
/** Keys of 1984 bits and more have primes of the form k·M + (65537^a mod M), where M is the product of at least the first 126 primes. */
const rocaPrimes = 126;

const primes = primesBelow(smallFactorsBelow);
/** Products of neighbouring primes that fit into 64 bits: one long division for each, instead of one for each prime. */
const products = productsOf(primes);
/** For each odd prime of ROCA’s M, which residues are a power of 65537. */
const generated = primes.slice(1, rocaPrimes).map((prime) => ({ prime: BigInt(prime), residues: powersOf(65_537, prime) }));

/**
 * The known weakness of an RSA modulus, or null (docs/specification.md, “Certificate requests”). Takes a few milliseconds at most for
 * the largest modulus that is accepted, whatever was sent.
 */
export function rsaWeakness(modulus: bigint): RsaWeakness | null {
  const factor = smallFactor(modulus);
  if (factor !== null) return { reason: 'rsaSmallFactor', detail: String(factor) };
  if (hasRocaFingerprint(modulus)) return { reason: 'rsaRoca', detail: '' };
  if (hasClosePrimes(modulus)) return { reason: 'rsaClosePrimes', detail: '' };
  return null;
}

/** Multiplications between which others get their turn: about 3 ms for the largest modulus. */
const sliceOfSteps = 64;

/**
 * Whether a number is a prime, by Fermat’s test to the base 2, which every prime passes and no modulus that was made as it should be does. It
 * takes 0.03 s for 3,072 bits and 0.4 s for 8,192, for any number, in slices. Node’s checkPrime is not used, because OpenSSL tests a prime of
 * that size for 20 s, which cannot be broken off.
 */
export async function isPrime(number: bigint): Promise<boolean> {
  const exponent = (number - 1n).toString(2);
  let power = 1n;
  for (let place = 0; place < exponent.length; place += 1) {
    power = (exponent[place] === '1' ? power * power * 2n : power * power) % number;
    if (place % sliceOfSteps === 0) await setImmediate();
  }
  return power === 1n;
}

function smallFactor(modulus: bigint): number | null {
  for (const { product, factors } of products) {
    const rest = modulus % product;
    for (const factor of factors) if (rest % factor === 0n) return Number(factor);
  }
  return null;
}

/**
 * CVE-2017-15361: both primes are powers of 65537 modulo each small prime, and so is their product. Of other moduli, one in 2^167 looks
 * like that.
 */
function hasRocaFingerprint(modulus: bigint): boolean {
  return generated.every(({ prime, residues }) => residues.has(Number(modulus % prime)));
}

/** Fermat’s factorization: primes that differ little are found within a few steps from the square root. */
function hasClosePrimes(modulus: bigint): boolean {
  let middle = squareRoot(modulus);
  if (middle * middle === modulus) return true;
  for (let step = 0; step < fermatSteps; step += 1) {
    middle += 1n;
    if (isSquare(middle * middle - modulus)) return true;
  }
  return false;
}

function isSquare(value: bigint): boolean {
  if (!canBeSquare(value)) return false;
  const root = squareRoot(value);
  return root * root === value;
}

/** The residues of squares modulo small numbers, by which most other numbers are told apart without a root. */
const squares = [64, 63, 65, 11, 17, 19, 23, 31].map((modulus) => ({
  modulus: BigInt(modulus),
  residues: new Set(Array.from({ length: modulus }, (_, root) => (root * root) % modulus)),
}));

function canBeSquare(value: bigint): boolean {
  return squares.every(({ modulus, residues }) => residues.has(Number(value % modulus)));
}

/** The whole part of the square root, by Newton’s method from above. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

function primesBelow(end: number): number[] {
  const composite = new Uint8Array(end);
  const found: number[] = [];
  for (let number = 2; number < end; number += 1) {
    if (composite[number]) continue;
    found.push(number);
    for (let multiple = number * number; multiple < end; multiple += number) composite[multiple] = 1;
  }
  return found;
}

function productsOf(factors: readonly number[]): { product: bigint; factors: bigint[] }[] {
  const made: { product: bigint; factors: bigint[] }[] = [];
  for (const factor of factors.map(BigInt)) {
    const last = made.at(-1);
    if (last && last.product * factor < 2n ** 64n) {
      last.product *= factor;
      last.factors.push(factor);
    } else made.push({ product: factor, factors: [factor] });
  }
  return made;
}

function powersOf(base: number, modulus: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (let power = 1; !found.has(power); power = (power * base) % modulus) found.add(power);
  return found;
}
