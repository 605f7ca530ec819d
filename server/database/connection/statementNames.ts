import { randomBytes } from 'node:crypto';

/**
 * Names the prepared statements of a connection or pool, whose texts are constants: the same text has the same name. The names are its own,
 * because a pooler may have lent the server's session to somebody else before.
 */
export function statementNames(use: string): (text: string) => string {
  const prefix = `${use}_${randomBytes(6).toString('hex')}_`;
  const names = new Map<string, string>();
  return (text) => {
    let name = names.get(text);
    if (name === undefined) names.set(text, (name = `${prefix}${names.size}`));
    return name;
  };
}
