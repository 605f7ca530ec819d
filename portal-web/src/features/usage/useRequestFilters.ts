import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { statusClassNames, type StatusClass } from './statusClasses.ts';

/** Which requests a list shows, kept in its page's address so that it can be sent to a colleague. */
export type RequestFilters = {
  /** The text as it was typed. A part of an ID finds nothing. */
  requestId: string;
  /** A class of responses, or refused and failed requests together. */
  answer: StatusClass | 'problems' | '';
  operation: string;
};

const answers: ReadonlySet<string> = new Set([...statusClassNames, 'problems']);

/** The filters of the request log. */
export function useRequestFilters(): [RequestFilters, (changes: Partial<RequestFilters>) => void] {
  const [{ request, answer, operation }, changeAddress] = useUrlFilters(['request', 'answer', 'operation']);
  const filters = { requestId: request, answer: answers.has(answer) ? (answer as RequestFilters['answer']) : '', operation } as const;
  const change = (changes: Partial<RequestFilters>) => {
    const { requestId, ...others } = { ...filters, ...changes };
    changeAddress({ request: requestId, ...others });
  };
  return [filters, change];
}

/** Whether the text is a complete request ID, as the X-Request-Id header has it. */
export function isRequestId(text: string): boolean {
  return /^req_[0-9a-z]{26}$/.test(text);
}
