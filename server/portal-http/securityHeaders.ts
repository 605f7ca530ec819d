import { randomBytes } from 'node:crypto';
import type { Middleware } from 'koa';

const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The headers of every answer, including those that are given before the framework. */
export const commonHeaders = {
  'Content-Security-Policy': apiPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** Sets the headers of every answer. Pages replace the policy with `pagePolicy`. */
export const securityHeaders: Middleware = async (ctx, next) => {
  ctx.set(commonHeaders);
  await next();
};

/** The content security policy of a page: only our own files and no inline scripts; style elements need the nonce. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** A new nonce for one page. */
export function newNonce(): string {
  return randomBytes(16).toString('base64');
}
