import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { statusClassNames, type StatusClass } from './statusClasses.ts';

/** Which requests a list shows, kept in its page's address so that it can be sent to a colleague. */
export type RequestFilters = {
  /** As it was typed; a part of an ID finds nothing yet. */
  requestId: string;
  /** A class of answers, or refused and failed ones together. */
  answer: StatusClass | 'problems' | '';
  operation: string;
};

const answers: ReadonlySet<string> = new Set([...statusClassNames, 'problems']);

/** The filters of the request log that is the main list of its page. */
export function useRequestFilters(): [RequestFilters, (changes: Partial<RequestFilters>) => void] {
  const [{ request, answer, operation }, changeAddress] = useUrlFilters(['request', 'answer', 'operation']);
  const filters = { requestId: request, answer: answers.has(answer) ? (answer as RequestFilters['answer']) : '', operation } as const;
  const change = (changes: Partial<RequestFilters>) => {
    const { requestId, ...others } = { ...filters, ...changes };
    changeAddress({ request: requestId, ...others });
  };
  return [filters, change];
}

/** Whether the text is a whole request ID, as the X-Request-Id header brings it. */
export function isRequestId(text: string): boolean {
  return /^req_[0-9a-z]{26}$/.test(text);
}
