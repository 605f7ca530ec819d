import type { VariablesOf } from '../../../graphql/graphql.ts';
import { askedHolds } from '../../../graphql/questions.ts';
import { type StatusClass, statusClassNames } from '../../../features/integration/statusClasses.ts';
import type { LoggedRequest, requestsQuery } from './usageQueries.ts';

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

/**
 * So late a line can be in the log, counted from the beginning of its request: the request takes up to 30 seconds, a process that cannot reach the
 * database tries for 30, gathers for one, and four are for the writing and for clocks that differ a little. The page that a log begins with may have
 * been read a little before it was opened.
 */
const late = 65_000 + askedHolds;
const mostKnown = 100;
/** As far as the service looks back. */
const reach = 3_600_000;

/** From when on a live log asks for requests, and which of those it has already. */
type Asked = { readonly from: string | null; readonly known: string[] };
type Range = {
  /** The beginning of the range that the reader has chosen. */
  readonly earliest: string | null;
  readonly within: number;
  /** Whether older requests stand on the next page. */
  readonly full: boolean;
};

/**
 * For how many seconds back a live log asks: since the last answer, and as long before it as lines can be late. Whatever is older was in that answer. Null
 * if that is further back than the service looks. Only the time that has passed counts, so the reader’s clock may be wrong.
 */
export function secondsSince(answeredAt: number, now: number): number | null {
  const back = Math.max(0, now - answeredAt) + late;
  return back > reach ? null : Math.ceil(back / 1000);
}

/**
 * What to ask for in addition to these lines, the newest first: what is not shown of the last seconds, `within`. On a full page, and with more than
 * 100 lines that young, nothing before the last one that is named, because older ones belong to the next page.
 */
export function askedAfter(shown: readonly LoggedRequest[], { earliest, within, full }: Range): Asked {
  const bound = new Date(shown[0]?.occurredAt ?? 0).getTime() - within * 1000;
  const young = shown.filter(({ occurredAt }) => new Date(occurredAt).getTime() >= bound).slice(0, mostKnown);
  const isCut = young.length === mostKnown || (full && young.length === shown.length);
  const from = isCut ? (young.at(-1)?.occurredAt ?? null) : null;
  return { from: earliest && from ? (earliest > from ? earliest : from) : (earliest ?? from), known: young.map(({ id }) => id) };
}

/** Both lists as one, each request once, the newest first. */
export function joined(one: readonly LoggedRequest[], other: readonly LoggedRequest[]): LoggedRequest[] {
  const byId = new Map([...other, ...one].map((request) => [request.id, request]));
  return [...byId.values()].toSorted((a, b) => b.occurredAt.localeCompare(a.occurredAt) || b.id.localeCompare(a.id));
}
