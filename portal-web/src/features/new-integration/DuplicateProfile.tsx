import { Button, Group, Text } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { useQuery } from 'urql';
import { integrationQuery } from '../integration/integrationQuery.ts';
import { copyOf } from '../profile/profileValues.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageLoading } from '../../ui/states/PageLoading.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { DraftValues } from './draft.ts';

type DuplicateProfileProps = {
  /** The slug of the integration to copy. */
  from: string;
  /** The name of an unfinished draft in this browser, or null. */
  unfinished: string | null;
  onCopied: (values: DraftValues) => void;
  onKept: () => void;
};

/** Copies the profile of one of the reader's integrations into the form for a new one. It asks before it replaces an unfinished draft. */
export function DuplicateProfile({ from, unfinished, onCopied, onKept }: DuplicateProfileProps) {
  const [result, read] = useQuery({ query: integrationQuery, variables: { slug: from } });
  return (
    <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ integration }) => {
        const copy = () => onCopied(copyOf(integration));
        return unfinished === null ? (
          <AtOnce onShown={copy} />
        ) : (
          <Panel title="You have an unfinished draft" lead="This browser keeps one draft at a time.">
            <Text>
              Duplicating {integration.profile.publicName} will replace “{unfinished}”, which you have not created yet.
            </Text>
            <Group gap="sm" mt="md">
              <Button variant="default" onClick={onKept}>
                Continue with “{unfinished}”
              </Button>
              <Button onClick={copy}>Duplicate {integration.profile.publicName}</Button>
            </Group>
          </Panel>
        );
      }}
    </Loaded>
  );
}

function AtOnce({ onShown }: { onShown: () => void }) {
  const shown = useEffectEvent(onShown);
  useEffect(() => shown(), []);
  return <PageLoading />;
}
