import type { ReactNode } from 'react';
import type { UseQueryState } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { NotFoundPage } from './NotFoundPage.tsx';
import { ErrorMessage } from './ErrorMessage.tsx';
import { PageLoading } from './PageLoading.tsx';

type LoadedProps<Data> = {
  result: Pick<UseQueryState<Data>, 'data' | 'error'>;
  onRetry: () => void;
  children: (data: Data) => ReactNode;
};

/** Shows what was read; a placeholder before that; and words when it failed. What was read once stays through later failures. */
export function Loaded<Data>({ result: { data, error }, onRetry, children }: LoadedProps<Data>) {
  if (data !== undefined && data !== null) return children(data);
  if (!error) return <PageLoading />;
  const { code, message } = describeError(error);
  if (code === 'NOT_FOUND') return <NotFoundPage />;
  // The session's end is told on the sign-in page, which is about to appear.
  if (code === 'UNAUTHENTICATED') return <PageLoading />;
  return <ErrorMessage message={message} onRetry={onRetry} />;
}
