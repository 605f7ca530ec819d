import type { VariablesOf } from '../../../graphql/graphql.ts';
import { statusClassNames, type StatusClass } from './statusClasses.ts';
import type { requestsQuery } from './usageQueries.ts';

export const filterNames = ['answer', 'operation', 'problem', 'serial', 'from', 'to'] as const;

/**
 * Which requests the log shows. They stand in the address, times as UTC instants, so that it means the same to everybody it is sent to.
 * `answer` is a class of answers, `problems` for refused and failed ones together, or one status such as 404.
 */
export type RequestFilters = Readonly<Record<(typeof filterNames)[number], string>>;

export const noFilters: RequestFilters = { answer: '', operation: '', problem: '', serial: '', from: '', to: '' };

const forms = {
  answer: new RegExp(`^(problems|${statusClassNames.join('|')}|[2-5]\\d\\d)$`),
  operation: /^[a-zA-Z]{1,60}$/,
  problem: /^[a-z_]{1,60}$/,
  serial: /^[0-9a-f]{1,64}$/,
} as const;

/** The filters as far as they mean anything: an address may have been typed or cut. */
export function meaningful(given: RequestFilters): RequestFilters {
  const kept = (name: keyof typeof forms) => (forms[name].test(given[name]) ? given[name] : '');
  const [from, to] = [instantIn(given.from), instantIn(given.to)];
  return {
    answer: kept('answer'),
    operation: kept('operation'),
    problem: kept('problem'),
    serial: kept('serial'),
    from,
    to: from && to && to <= from ? '' : to,
  };
}

function instantIn(text: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : '';
}

export function isNarrowed(filters: RequestFilters): boolean {
  return filterNames.some((name) => filters[name] !== '');
}

type Filter = VariablesOf<typeof requestsQuery>['filter'];

/** The filters as the service takes them. */
export function filterOf({ answer, operation, problem, serial, from, to }: RequestFilters): Filter {
  const status = Number(answer);
  return {
    statusClass: (statusClassNames as readonly string[]).includes(answer) ? (answer as StatusClass) : null,
    onlyProblems: answer === 'problems',
    status: status > 0 ? status : null,
    operation: operation || null,
    problem: problem || null,
    serial: serial || null,
    from: from || null,
    to: to || null,
  };
}
