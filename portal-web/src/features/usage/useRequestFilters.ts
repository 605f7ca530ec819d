import { useSearchParams } from 'react-router';
import { filterNavigation } from '../../ui/lists/filterNavigation.ts';
import { statusClassNames, type StatusClass } from './statusClasses.ts';

/** What the page shows, kept in its address so that it can be sent to a colleague. */
export type RequestFilters = {
  environment: 'sandbox' | 'production';
  period: 'day' | 'week';
  /** As it was typed; a part of an ID finds nothing yet. */
  requestId: string;
  /** A class of answers, or refused and failed ones together. */
  answer: StatusClass | 'problems' | '';
  operation: string;
  /** The cursor that the list begins after; empty: at the newest. */
  after: string;
};

const answers: ReadonlySet<string> = new Set([...statusClassNames, 'problems']);

/** The filters in the address and how to change them. Whatever narrows the list leads back to its newest request. */
export function useRequestFilters(): [RequestFilters, (changes: Partial<RequestFilters>) => void] {
  const [search, setSearch] = useSearchParams();
  const answer = search.get('answer') ?? '';
  const filters: RequestFilters = {
    environment: search.get('environment') === 'production' ? 'production' : 'sandbox',
    period: search.get('period') === 'week' ? 'week' : 'day',
    requestId: search.get('request') ?? '',
    answer: answers.has(answer) ? (answer as RequestFilters['answer']) : '',
    operation: search.get('operation') ?? '',
    after: search.get('after') ?? '',
  };
  const change = (changes: Partial<RequestFilters>) => {
    const {
      environment,
      period,
      requestId,
      answer: kind,
      operation,
      after,
    } = { ...filters, ...('period' in changes ? {} : { after: '' }), ...changes };
    // What else is in the address belongs to others on the page.
    const next = new URLSearchParams(search);
    const own = {
      environment: environment === 'sandbox' ? '' : environment,
      period: period === 'day' ? '' : period,
      request: requestId,
      answer: kind,
      operation,
      after,
    };
    for (const [name, value] of Object.entries(own)) {
      next.delete(name);
      if (value !== '') next.set(name, value);
    }
    // A page further back is a step that the reader can take back; a letter in a field is not.
    setSearch(next, { ...filterNavigation, replace: !changes.after });
  };
  return [filters, change];
}

/** Whether the text is a whole request ID, as the X-Request-Id header brings it. */
export function isRequestId(text: string): boolean {
  return /^req_[0-9a-z]{26}$/.test(text);
}
