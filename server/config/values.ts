import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { databaseAddressOf, DatabaseUrlError } from '../database/connection/databaseAddress.ts';
import type { SupportContact } from '../domain/shared/supportContact.ts';

/** A database URL that every client library of the service can follow, with the files that it names. */
export const databaseUrl = z.string().superRefine((value, context) => {
  try {
    databaseAddressOf(value);
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
  }
});

/** How the names of an installation's roles begin. */
export const rolePrefix = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be 1 to 40 lower-case letters, digits and underscores, and begin with a letter');

/** A port. With 0, any free port is used. */
export const port = (fallback: number) =>
  z.coerce
    .number({ error: 'must be a port number' })
    .int('must be a port number')
    .min(0, 'must be a port number')
    .max(65_535, 'must be a port number')
    .default(fallback);

/** A whole number between two others. */
export const whole = (least: number, most: number, fallback: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number({ error }).int(error).min(least, error).max(most, error).default(fallback);
};

export const seconds = (most: number) => {
  const error = `must be a number of seconds from 0 to ${most}`;
  return z.coerce.number({ error }).int(error).min(0, error).max(most, error);
};

/** `true` or `false`. It is false if it is not set. */
export const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .default('false')
  .transform((value) => value === 'true');

/** 32 bytes in hexadecimal digits. */
export const key = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be 32 bytes, written as 64 lower-case hexadecimal digits')
  .regex(/^(?!(.)\1{63}$)/, 'must be random, such as `openssl rand -hex 32` makes it')
  .transform((hex) => Buffer.from(hex, 'hex'));

/** An origin in the form in which browsers write it. */
export const origin = z
  .url({ error: 'must be an absolute URL' })
  .refine((value) => URL.canParse(value) && new URL(value).origin === value, 'must be an origin, without a path or a trailing slash');

/** No network that a single organisation has is wider, those of private addresses included (RFC 1918, RFC 4193). */
const widestPrefix = (version: number): number => (version === 4 ? 8 : 7);

/** Addresses and networks, separated by commas. `none` states that there are none, which production requires. */
export const networks = z.string().transform((list, context) => {
  const blocks = new BlockList();
  for (const entry of list === 'none' ? [] : list.split(',')) {
    const [, address = '', digits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? [];
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    const prefix = digits === undefined ? bits : Number(digits);
    if (version === 0 || prefix > bits) {
      context.addIssue({
        code: 'custom',
        message: 'must be a comma-separated list of addresses and networks such as 10.0.0.0/8, or the word none',
      });
      return z.NEVER;
    }
    // Anyone who is on the list says which address a request comes from.
    if (prefix < widestPrefix(version)) {
      context.addIssue({
        code: 'custom',
        message: 'must contain no network wider than /8, or /7 with IPv6: it would trust nearly everybody',
      });
      return z.NEVER;
    }
    blocks.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  }
  return blocks;
});

/** Names below `.test` or `.example` with the loopback address and the port to which each of them leads, separated by commas. */
export const loopbackHosts = z.string().transform((list, context): ReadonlyMap<string, { address: string; port: number }> => {
  const entries = list.split(',').map((entry) => {
    const [, name = '', address = '', digits = ''] =
      /^([a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:test|example))=(.+):(\d{1,5})$/.exec(entry.trim()) ?? [];
    const bare = address.replace(/^\[(.*)\]$/, '$1');
    const loopback = bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
    return name !== '' && loopback && Number(digits) <= 65_535 ? ([name, { address: bare, port: Number(digits) }] as const) : null;
  });
  const valid = entries.filter((entry) => entry !== null);
  if (valid.length === entries.length) return new Map(valid);
  context.addIssue({
    code: 'custom',
    message:
      'must be a comma-separated list of names below .test or .example with loopback addresses and ports, such as receiver.test=127.0.0.1:9443',
  });
  return z.NEVER;
});

/** An email address, as browsers understand one. */
export const address = z.email({ pattern: z.regexes.html5Email });

/** An email address, bare or as a mailto: URL, or an https:// URL. */
export const contact = z.string().transform((value, context): SupportContact => {
  const [mailbox = ''] = value.replace(/^mailto:/i, '').split('?');
  if (address.safeParse(mailbox).success) {
    return { url: value.replace(/^(mailto:)?/i, 'mailto:'), text: mailbox };
  }
  if (/^https:\/\//i.test(value) && URL.canParse(value) && !/\s/.test(value)) return { url: value, text: value };
  context.addIssue({ code: 'custom', message: 'must be an email address, a mailto: URL or an https:// URL' });
  return z.NEVER;
});
