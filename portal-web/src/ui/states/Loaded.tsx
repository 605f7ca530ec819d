import type { ReactNode } from 'react';
import type { UseQueryState } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { NotFoundPage } from './NotFoundPage.tsx';
import { ErrorMessage } from './ErrorMessage.tsx';
import { PageLoading } from './PageLoading.tsx';
import type { PageShape } from './pageShape.ts';

type LoadedProps<Data> = {
  result: Pick<UseQueryState<Data>, 'data' | 'error'>;
  onRetry: () => void;
  /** Whether it is the whole page, with its title. */
  whole?: boolean;
  /** What is read, where it is only a part of the page. */
  shape?: PageShape;
  children: (data: Data) => ReactNode;
};

/**
 * Shows the data of a query, a placeholder until it is there, or a message if it could not be read. Data stays visible if a later attempt
 * fails.
 */
export function Loaded<Data>({ result: { data, error }, onRetry, whole = false, shape, children }: LoadedProps<Data>) {
  if (data !== undefined && data !== null) return children(data);
  if (!error) return <PageLoading whole={whole} shape={shape} />;
  const { code, message } = describeError(error);
  if (code === 'NOT_FOUND') return <NotFoundPage />;
  // The sign-in page, which is about to appear, says that the session has ended.
  if (code === 'UNAUTHENTICATED') return <PageLoading whole={whole} shape={shape} />;
  return <ErrorMessage message={message} onRetry={onRetry} />;
}
