import { Radio, Stack } from '@mantine/core';
import { WholeNumberField } from '../../ui/forms/WholeNumberField.tsx';
import { webhookModelWords } from '../integration/webhookModelWords.ts';
import type { DraftForm } from './useDraft.ts';

/** Asks how the integration will use the API. */
export function PlanningStep({ form }: { form: DraftForm }) {
  return (
    <Stack gap="lg" maw={640}>
      <WholeNumberField
        label="Polling cadence in minutes"
        description="How often your back end will poll. The minimum is 15 minutes; most integrations can poll less often."
        required
        {...form.getInputProps('pollingCadenceMinutes')}
      />
      <Radio.Group
        label="Webhooks"
        description="A plan, not a setting: webhooks are optional and only ever prompt you to pull."
        required
        {...form.getInputProps('webhookModel')}
      >
        <Stack gap="xs" mt="sm">
          {Object.entries(webhookModelWords).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
    </Stack>
  );
}
