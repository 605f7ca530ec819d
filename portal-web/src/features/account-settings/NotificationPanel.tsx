import { Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useSession } from '../session/SessionContext.ts';
import type { Topic } from './accountSettingsQuery.ts';
import { notificationWords } from './notificationWords.ts';

const setNotificationPreferencesMutation = graphql(`
  mutation SetNotificationPreferences($input: SetNotificationPreferencesInput!) {
    setNotificationPreferences(input: $input)
  }
`);

/**
 * Which optional emails the viewer gets, including those for the viewer's roles. A switch moves at once, and moves back if the choice could
 * not be saved.
 */
export function NotificationPanel({ muted: stored }: { muted: readonly Topic[] }) {
  const [{ fetching, error }, save] = useMutation(setNotificationPreferencesMutation);
  const [muted, setMuted] = useState(stored);
  const roles = useSession().viewer?.roles ?? [];
  const switches = Object.entries(notificationWords).filter(([, words]) => !('role' in words) || roles.includes(words.role));

  async function change(topic: Topic, on: boolean) {
    const former = muted;
    const next = on ? muted.filter((each) => each !== topic) : [...muted, topic];
    setMuted(next);
    const { data } = await save({ input: { muted: [...next] } });
    setMuted(data ? data.setNotificationPreferences : former);
  }

  return (
    <Panel title="Notifications" lead="Optional emails. The portal shows all of this too.">
      <Stack gap="md">
        {error && <ErrorMessage message={describeError(error).message} />}
        {switches.map(([name, { label, description }]) => {
          const topic = name as Topic;
          return (
            <Switch
              key={topic}
              label={label}
              description={description}
              checked={!muted.includes(topic)}
              disabled={fetching}
              onChange={(event) => void change(topic, event.currentTarget.checked)}
            />
          );
        })}
        <Text size="sm" c="dimmed" maw={640}>
          We always email you about your sign-in methods, address and account, new terms, deletion warnings, suspension and reactivation.
        </Text>
      </Stack>
    </Panel>
  );
}
