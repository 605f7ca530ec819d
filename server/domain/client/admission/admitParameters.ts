import type { CostClass } from '../quotas.ts';

/**
 * The parameters of admission's statements. Times and arrays are given as text, which PostgreSQL reads once for each call: as a
 * parameter of type text, a time would be read again wherever the statement mentions it. A lease's microseconds are part of its name.
 */
export type AdmitParameters = {
  readonly fingerprint: string;
  readonly serial: string;
  readonly commonName: string;
  readonly clientNumber: number;
  readonly now: string;
  /** The leases that are released with this call, as an array literal. */
  readonly finished: string;
  /** A window is running if it began after its floor. */
  readonly minuteFloor: string;
  readonly classFloor: string;
  /** The baselines. */
  readonly minuteLimit: number;
  readonly classLimit: number;
  readonly concurrencyLimit: number;
  readonly source: string;
  readonly sourceFloor: string;
  readonly sourceLimit: number;
  /** What `look` has not: the lease that is taken, and from when on, by the database's clock, nothing is. */
  readonly lease: string;
  readonly deadline: string;
};
export type AdmitParameterName = keyof AdmitParameters;

const common: readonly AdmitParameterName[] = [
  'fingerprint',
  'serial',
  'commonName',
  'clientNumber',
  'now',
  'finished',
  'minuteFloor',
  'classFloor',
  'minuteLimit',
  'classLimit',
  'concurrencyLimit',
];
const ofTaking: readonly AdmitParameterName[] = ['lease', 'deadline'];
const ofSource: readonly AdmitParameterName[] = ['source', 'sourceFloor', 'sourceLimit'];

/** Each parameter by its name and type, in the order of its class. Those that `look` goes without are last. */
export const parameterNames: Readonly<Record<CostClass, readonly AdmitParameterName[]>> = {
  pull: [...common, ...ofTaking],
  statistics: [...common, ...ofTaking],
  redeem: [...common, ...ofSource, ...ofTaking],
  est: [...common, ...ofTaking],
};

const types: Readonly<Record<AdmitParameterName, string>> = {
  fingerprint: 'text',
  serial: 'text',
  commonName: 'text',
  clientNumber: 'int',
  now: 'timestamptz',
  finished: 'timestamptz[]',
  minuteFloor: 'timestamptz',
  classFloor: 'timestamptz',
  minuteLimit: 'int',
  classLimit: 'int',
  concurrencyLimit: 'int',
  source: 'text',
  sourceFloor: 'timestamptz',
  sourceLimit: 'int',
  lease: 'timestamptz',
  deadline: 'timestamptz',
};

/** How a statement contains a parameter of a class, such as `$4::timestamptz`. */
export function parameter(costClass: CostClass, name: AdmitParameterName): string {
  return `$${parameterNames[costClass].indexOf(name) + 1}::${types[name]}`;
}
