import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../../graphql/describeError.ts';
import { advanceSandboxResourceMutation, publishSandboxStatisticsMutation, type PublishedStatistics } from './sandboxMutations.ts';

type Advance = { resourceId?: string; count?: number; type?: 'order' | 'vehicle' | null; ending?: boolean };

/** Advances resources and publishes statistics in the sandbox. */
export function useSimulator(clientId: string) {
  const [advancing, advanceResource] = useMutation(advanceSandboxResourceMutation);
  const [publishing, publishStatistics] = useMutation(publishSandboxStatisticsMutation);
  const [published, setPublished] = useState<PublishedStatistics | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  /** Tells whether it has succeeded. */
  async function advance(input: Advance): Promise<boolean> {
    setProblem(null);
    const { error } = await advanceResource({ input: { clientId, ...input } });
    if (error) setProblem(describeError(error).message);
    return !error;
  }

  async function publish() {
    setProblem(null);
    const { data, error } = await publishStatistics({ input: { clientId } });
    if (error || !data) return setProblem(describeError(error).message);
    setPublished(data.publishSandboxStatistics);
  }

  return { advance, publish, published, problem, busy: advancing.fetching || publishing.fetching };
}
