import { z } from 'zod';
import { isThisMachine } from '../database/connection/databaseAddress.ts';
import { address } from './values.ts';

/** The mail server, as nodemailer reads it. Without a host it would be this machine. */
export const smtpUrl = z
  .string()
  .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
  .refine((value) => URL.canParse(value) && new URL(value).hostname !== '', {
    error: 'must name a host; characters such as / or # in a password have to be percent-encoded',
  });

/** Whether mail and password never travel in plain text, nor to somebody whose certificate proves nothing. Within this machine they may. */
export function encryptsMail(url: string): boolean {
  const { protocol, hostname, searchParams } = new URL(url);
  if (isThisMachine(hostname.replace(/^\[(.+)\]$/, '$1'))) return true;
  return (protocol === 'smtps:' || searchParams.get('requireTLS') === 'true') && !searchParams.has('tls.rejectUnauthorized');
}

/** Names that lead nowhere on the internet (RFC 2606, RFC 6761, RFC 6762). `example.com` is left for trying things out. */
const nobodysNames = /(?:^|\.)(?:localhost|local|internal|test|example|invalid)$/i;

const addressIn = (from: string): string => /^[^<>\r\n]*<([^<>]+)>$/.exec(from)?.[1] ?? from;

/** Whom mail comes from: an address, alone or as `Name <address>`. */
export const mailFrom = z
  .string()
  .refine((value) => address.safeParse(addressIn(value)).success, 'must be an email address, or a name and <an email address>');

/** Whether the domain of `MAIL_FROM` can be somebody's, so that mail servers take its mail. */
export function hasRealDomain(from: string): boolean {
  const domain = addressIn(from).split('@').at(-1) ?? '';
  return domain.includes('.') && !nobodysNames.test(domain);
}
