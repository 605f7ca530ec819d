import type { Context } from 'koa';

/** Cookies ignore ports. With other instances on localhost, a name therefore contains our port. */
export function hostCookieName(name: string, portalUrl: string): string {
  const { port } = new URL(portalUrl);
  return port === '' ? `__Host-svc_${name}` : `__Host-svc_${name}_${port}`;
}

/** Gives the browser a cookie that no script and no other site can use. It takes the place of one that this answer has already set. */
export function setCookie(ctx: Context, name: string, value: string, more = ''): void {
  const others = [ctx.response.headers['set-cookie'] ?? []].flat().filter((line) => !String(line).startsWith(`${name}=`));
  ctx.set('Set-Cookie', [...others.map(String), `${name}=${value}; Path=/; HttpOnly; Secure; SameSite=Strict${more}`]);
}

/** The value of a cookie that came with the request. */
export function readCookie(ctx: Context, name: string): string | undefined {
  return ctx
    .get('cookie')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
