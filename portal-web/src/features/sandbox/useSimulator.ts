import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { advanceSandboxResourceMutation, publishSandboxStatisticsMutation } from './sandboxMutations.ts';
import { advanced, published, type Happening } from './visitLog.ts';

type Advance = { resourceId?: string; count?: number; type?: 'order' | 'vehicle' | null; ending?: boolean };

/** Lets things happen in the sandbox, and tells what a sync will show of them. */
export function useSimulator(clientId: string, onHappened: (happening: Happening) => void) {
  const [advancing, advanceResource] = useMutation(advanceSandboxResourceMutation);
  const [publishing, publishStatistics] = useMutation(publishSandboxStatisticsMutation);
  const [problem, setProblem] = useState<string | null>(null);

  async function advance(input: Advance) {
    setProblem(null);
    const { data, error } = await advanceResource({ input: { clientId, ...input } });
    if (error || !data) return setProblem(describeError(error).message);
    onHappened(advanced(data.advanceSandboxResource));
  }

  async function publish() {
    setProblem(null);
    const { data, error } = await publishStatistics({ input: { clientId } });
    if (error || !data) return setProblem(describeError(error).message);
    onHappened(published(data.publishSandboxStatistics));
  }

  return { advance, publish, problem, busy: advancing.fetching || publishing.fetching };
}
