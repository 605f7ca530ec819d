import { readFile } from 'node:fs/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from './config/config.ts';
import { countOf, type Loss, onceAgreed } from './agreement.ts';
import { operandsOf, terminal as actor, UsageError, type CommandParsers } from './commandArguments.ts';
import {
  abandonKeyRing,
  abandonSigningKeys,
  type AbandonedRing,
  type AbandonedSigning,
  type LostRing,
  type LostSigning,
} from './database/abandonKeys.ts';
import { keyPurposes } from './database/keyRing.ts';
import { rewrapKeys, wrappedSecrets, type WrappedSecrets } from './database/rewrapKeys.ts';
import { rotateKeyRing } from './database/rotateKeyRing.ts';
import { importIssuingAuthority } from './domain/certificate/authority/importIssuingAuthority.ts';
import { requestIssuingAuthority } from './domain/certificate/authority/requestIssuingAuthority.ts';
import { webhookLimits } from './domain/outbox/webhookLimits.ts';
import { type AfterRevoking, revokeSigningKey } from './domain/webhook/signing/revokeSigningKey.ts';
import { rotateSigningKey } from './domain/webhook/signing/rotateSigningKey.ts';
import { authorityKeys } from './platform/authorityKeys.ts';
import { keysOnTerminal } from './platform/configuredKeys.ts';
import { keyId, type WrappingKeys } from './platform/keyStore.ts';

export const keyUsage = `
  rewrap-keys                     wraps under MASTER_KEY and SIGNING_KEY what MASTER_KEY_PREVIOUS and SIGNING_KEY_PREVIOUS wrap,
                                  as far as they are set in this terminal, and says what is left
  abandon-lost-keys MASTER_KEY|SIGNING_KEY [--count N]
                                  for use after such a key was lost: gives up what the keys of this terminal do not open, for good
  rotate-key-ring PURPOSE         adds a key for ${keyPurposes.join(', ')}, which is used ten minutes later
  rotate-webhook-key              lets the next key sign deliveries from now on, if it has been published for a day
  revoke-webhook-key KID [--count N]
                                  removes a key that somebody else may have, at once; the next one signs
  issuing-authority-request [ROOT.pem]
                                  prints a request (CSR) for an offline root to sign; name the root's certificate if it is new
  import-issuing-authority FILE   takes the certificate that the root has signed, with the root's own if that is new
`;

/** What changes the keys at rest (docs/operating/keys.md, “Keys”). Only a terminal that has the wrapping keys can do it. */
export const keyCommands: CommandParsers = {
  'rewrap-keys': (args) => {
    operandsOf('rewrap-keys', [], args);
    return async (em, now, config) => {
      const { master, signing } = await keysOnTerminal(config);
      if (!master && !signing) throw new Error('Set MASTER_KEY, SIGNING_KEY or both in this terminal, each with its _PREVIOUS.');
      const done = [await rewrap(em, 'MASTER_KEY', master, now), await rewrap(em, 'SIGNING_KEY', signing, now)];
      const words = done.flatMap((each) => each.words).join('\n');
      // The exit code must say that it is not complete.
      if (done.some(({ failed }) => failed)) throw new Error(words);
      return { words };
    };
  },
  'abandon-lost-keys': (args) => {
    const [operands, count] = countOf('abandon-lost-keys', args);
    const [variable] = operandsOf('abandon-lost-keys', ['MASTER_KEY or SIGNING_KEY'], operands);
    if (variable !== 'MASTER_KEY' && variable !== 'SIGNING_KEY') throw new UsageError('Name the lost key: MASTER_KEY or SIGNING_KEY.');
    return async (em, now, config) => {
      const { master, signing } = await keysOnTerminal(config);
      const keys = variable === 'MASTER_KEY' ? master : signing;
      if (!keys) throw new Error(`Set ${variable} to the new key in this terminal.`);
      const abandoning = { keys, actor, now };
      // A key that was mistyped shows itself here: none of the secrets is under it.
      const under = `The key in this terminal is ${keyId(keys.current)}. ${listed(await wrappedSecrets(em, variable))}`;
      const shown = ({ count: all, words }: Loss): Loss => ({ count: all, words: `${under}\n${words}` });
      return onceAgreed(count, async (agree) => ({
        words:
          variable === 'MASTER_KEY'
            ? ringWords(await abandonKeyRing(em, { ...abandoning, agree: (lost) => agree(shown(ringLoss(lost))) }))
            : signingWords(await abandonSigningKeys(em, { ...abandoning, agree: (lost) => agree(shown(signingLoss(lost))) })),
      }));
    };
  },
  'rotate-key-ring': (args) => {
    const [name] = operandsOf('rotate-key-ring', ['PURPOSE'], args);
    const purpose = keyPurposes.find((each) => each === name);
    if (!purpose) throw new UsageError(`PURPOSE must be one of: ${keyPurposes.join(', ')}.`);
    return async (em, now, config) => {
      const { master: masterKeys } = await keysOnTerminal(config);
      if (!masterKeys) throw new Error('MASTER_KEY is not set in this terminal.');
      const { id, activeFrom } = await rotateKeyRing(em, { masterKeys, purpose, actor, now });
      return { result: id, words: `The new key for ${purpose} is used from ${activeFrom.toISOString()} on.` };
    };
  },
  'rotate-webhook-key': (args) => {
    operandsOf('rotate-webhook-key', [], args);
    return async (em, now) => {
      const { former, current } = await rotateSigningKey(em, { actor, now });
      return { result: current, words: `${current} signs deliveries from now on. ${former} stays published for 8 days.` };
    };
  },
  'revoke-webhook-key': (args) => {
    const [operands, count] = countOf('revoke-webhook-key', args);
    const [kid = ''] = operands;
    // Unlike other operands, a thumbprint may begin with a hyphen.
    if (operands.length !== 1 || !/^[\w-]{43}$/.test(kid))
      throw new UsageError('revoke-webhook-key takes KID, the 43 characters of a key’s kid.');
    const words = (endpoints: number) =>
      `${kid} signs deliveries now. Endpoints that they go to: ${endpoints}. It would be published no longer, for good, and another key would sign.`;
    return (em, now) =>
      onceAgreed(count, async (agree) => {
        const after = await revokeSigningKey(em, { actor, kid, now, agree: (all) => agree({ count: all, words: words(all) }) });
        return { words: wordsAfterRevoking(after, now) };
      });
  },
  'issuing-authority-request': (args) => {
    const [file] = args.length === 0 ? [null] : operandsOf('issuing-authority-request', ['ROOT.pem'], args);
    return async (em, now, config) => {
      const { signing } = await keysOnTerminal(config);
      if (!signing) throw new Error('SIGNING_KEY is not set in this terminal.');
      const rootPem = file === null ? null : await readText(file);
      const request = { actor, keys: authorityKeys(signing), portalUrl: portalUrlOf(config), rootPem, now };
      const { id, csrPem, crlUrl } = await requestIssuingAuthority(em, request);
      return { result: csrPem.trim(), words: `${id} waits for its certificate, which must name the revocation list ${crlUrl}.` };
    };
  },
  'import-issuing-authority': (args) => {
    const [file] = operandsOf('import-issuing-authority', ['FILE'], args);
    return async (em, now, config) => {
      const { signing } = await keysOnTerminal(config);
      if (!signing) throw new Error('SIGNING_KEY is not set in this terminal.');
      const given = { actor, keys: authorityKeys(signing), pem: await readText(file), portalUrl: portalUrlOf(config), now };
      const { id, rootId, newRoot, issuesFrom } = await importIssuingAuthority(em, given);
      const root = newRoot ? ` Its root ${rootId} is new: import its revocation list with import-crl.` : '';
      return { result: id, words: `${id} issues certificates from ${issuesFrom.toISOString()} on.${root}` };
    };
  },
};

/** So many names stand for all. */
const namesShown = 5;

function ringLoss({ secrets, sessions, recoveryCodes, connections, resources, slugs }: LostRing): Loss {
  const more = slugs.length > namesShown ? ` and ${slugs.length - namesShown} more` : '';
  const whose = slugs.length === 0 ? '' : ` (of ${slugs.slice(0, namesShown).join(', ')}${more})`;
  return {
    count: secrets + sessions + recoveryCodes + connections + resources,
    words: `It does not open ${secrets} secrets. With them would end: ${sessions} sessions, ${recoveryCodes} recovery codes and ${connections} connections${whose}; ${resources} orders and vehicles would be deleted.`,
  };
}

function signingLoss({ authorities, requests, deliveryKeys }: LostSigning): Loss {
  const named = authorities.length === 0 ? '' : ` (${authorities.join(', ')})`;
  return {
    count: authorities.length + requests + deliveryKeys,
    words: `It does not open the keys of ${authorities.length} authorities${named}, of ${requests} requests for one, and ${deliveryKeys} keys of signed deliveries. They would be given up.`,
  };
}

function ringWords({ secrets, sessions, connections, resources }: AbandonedRing): string {
  return `Keys given up: ${secrets}. Ended with them: ${sessions} sessions and ${connections} connections; ${resources} orders and vehicles were deleted. Start the processes, and have the programs supply everything again.`;
}

function signingWords({ authorities, deliveryKeys }: AbandonedSigning): string {
  const gone = authorities.length === 0 ? 'No authority has lost its key.' : `Without a key from now on: ${authorities.join(', ')}.`;
  return `${gone} Keys of signed deliveries given up: ${deliveryKeys}. Start the workers, and import the next authority (docs/operating/keys.md, “Authorities”).`;
}

function wordsAfterRevoking(after: AfterRevoking, now: Date): string {
  const gone = 'The key is published no longer. Receivers that kept the key set still accept it for up to an hour.';
  if (after.signs === 'as_before') return `${gone} Deliveries are signed as before.`;
  const refusals = 'Receivers that kept an older key set refuse deliveries until they read it again: replay what they refused for good.';
  if (after.signs === 'new') return `${gone} No next key was published, so a new one is made and signs at once. ${refusals}`;
  const { id, publishedAt } = after.next;
  const known = now.getTime() - publishedAt.getTime() >= webhookLimits.signingKeysCached;
  const published = `${id} signs deliveries from now on. It was published at ${publishedAt.toISOString()}`;
  return known ? `${gone} ${published}, so every receiver has it.` : `${gone} ${published}. ${refusals}`;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new Error(`${path} cannot be read.`);
  }
}

/** Certificates name it for as long as they are valid, so it must be the right one. */
function portalUrlOf({ portalUrl, production, portalPort }: Config): string {
  if (portalUrl === undefined && production) throw new Error('PORTAL_URL is not set in this terminal.');
  return portalUrl ?? `http://localhost:${portalPort}`;
}

type Done = { readonly words: readonly string[]; readonly failed: boolean };

async function rewrap(em: EntityManager, variable: WrappingKeys['variable'], keys: WrappingKeys | undefined, now: Date): Promise<Done> {
  if (!keys) {
    const words = [`${variable} is not set in this terminal, so nothing was done about it.`, listed(await wrappedSecrets(em, variable))];
    return { words, failed: false };
  }
  const { rewrapped, left, reasons } = await rewrapKeys(em, { keys, actor, now });
  const complete = Object.keys(left).length === 0;
  const rest = complete ? ['Nothing is left under another key.'] : [...reasons, listed(left)];
  return { words: [`${variable} (key ${keyId(keys.current)}): rewrapped secrets: ${rewrapped}.`, ...rest], failed: !complete };
}

function listed(secrets: WrappedSecrets): string {
  const each = Object.entries(secrets).map(([key, count]) => `${count} under the key ${key}`);
  return each.length === 0 ? 'No secrets are stored.' : `Stored secrets: ${each.join(', ')}.`;
}
