import { ConfigError } from '../config/ConfigError.ts';
import { readConfig, type ProcessRole } from '../config/config.ts';
import type { Clock } from '../domain/shared/clock.ts';
import { examineAcme } from './acme.ts';
import { examineBackups } from './backups.ts';
import { examineCertificates } from './certificates.ts';
import { examineDatabase } from './database.ts';
import type { Finding, Look, Place } from './finding.ts';
import { examineClock, examineDisk, examineOpenFiles } from './machine.ts';
import { examineMail } from './mail.ts';
import { examinePorts } from './ports.ts';
import { examineAuthorities, examineQueue } from './records.ts';
import { examineSettings } from './settings.ts';
import { examineStandby } from './standby.ts';

type Check = { readonly roles: readonly ProcessRole[]; readonly look: (place: Place) => Promise<Look> };

const all = ['service', 'portal', 'machine-api', 'workers'] as const;

/** What is looked at of each kind of process, once its settings are valid. */
const checks: Readonly<Record<string, Check>> = {
  acme: { roles: ['service'], look: examineAcme },
  certificates: { roles: ['service', 'portal', 'machine-api'], look: examineCertificates },
  database: { roles: all, look: examineDatabase },
  standby: { roles: ['portal'], look: examineStandby },
  authorities: { roles: ['service', 'portal'], look: examineAuthorities },
  queue: { roles: ['service', 'workers'], look: examineQueue },
  mail: { roles: ['service', 'workers'], look: examineMail },
  ports: { roles: all, look: examinePorts },
  backups: { roles: ['service'], look: examineBackups },
  disk: { roles: ['service'], look: examineDisk },
  'open files': { roles: all, look: examineOpenFiles },
  clock: { roles: all, look: examineClock },
};

/** All that was found, by what was looked at; and what could not be looked at, with the reason. */
export type Examination = {
  readonly findings: readonly (Finding & { readonly check: string })[];
  readonly skipped: readonly { readonly check: string; readonly reason: string }[];
};

type Options = { readonly role: ProcessRole; readonly env: Readonly<Record<string, string | undefined>>; readonly clock: Clock };

/** Looks at the settings of one kind of process, and then at everything around it that they lead to. Changes nothing. */
export async function examine({ role, env, clock }: Options): Promise<Examination> {
  const findings: (Finding & { check: string })[] = [];
  const skipped: { check: string; reason: string }[] = [];
  const wanted = Object.entries(checks).filter(([, { roles }]) => roles.includes(role));
  let place: Place;
  try {
    place = { config: readConfig(role, env), role, clock };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    findings.push(...examineSettings(error.problems).map((finding) => ({ check: 'settings', ...finding })));
    return { findings, skipped: wanted.map(([check]) => ({ check, reason: 'it needs valid settings' })) };
  }
  for (const [check, { look }] of wanted) {
    const found = await look(place).catch((error: unknown) => ({ skipped: `it failed (${nameOf(error)})` }));
    if ('skipped' in found) skipped.push({ check, reason: found.skipped });
    else findings.push(...found.map((finding) => ({ check, ...finding })));
  }
  return { findings, skipped };
}

/** Its message may contain what nobody should read over somebody's shoulder. */
function nameOf(error: unknown): string {
  return error instanceof Error ? String('code' in error ? error.code : error.name) : 'unknown';
}
