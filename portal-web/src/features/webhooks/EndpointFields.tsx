import { Checkbox, Radio, Stack, Text } from '@mantine/core';
import type { EndpointValues } from './endpointValues.ts';
import { Fold } from '../../ui/layout/Fold.tsx';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import { eventTypes, eventTypeWords, payloadModeWords } from './webhookWords.ts';

/** Moves the focus to a field when it appears. */
const focus = (field: HTMLInputElement | null) => field?.focus();

type EndpointFieldsProps = {
  values: EndpointValues;
  /** What the service says about each field. */
  errors: Readonly<Record<string, string>>;
  /** Whether the cursor is in the URL at first. */
  focused?: boolean;
  onChange: (changes: Partial<EndpointValues>) => void;
};

/** The fields that registering an endpoint and changing it have in common. */
export function EndpointFields({ values, errors, focused = false, onChange }: EndpointFieldsProps) {
  const chosen = eventTypes.filter((type) => values.eventTypes.includes(type)).length;
  return (
    <>
      <ShortText
        label="URL"
        description="A public HTTPS address on port 443 that does not redirect. We use it exactly as you write it."
        placeholder="https://hooks.example.com/orders"
        required
        ref={focused ? focus : undefined}
        inputMode="url"
        spellCheck={false}
        autoComplete="off"
        longest={2048}
        value={values.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
        error={errors['url']}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Radio.Group
        label="Payload"
        required
        value={values.payloadMode}
        onChange={(value) => onChange({ payloadMode: value })}
        error={errors['payloadMode']}
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(payloadModeWords).map(([value, { word, says }]) => (
            <Radio key={value} value={value} label={word} description={says} />
          ))}
        </Stack>
      </Radio.Group>
      {/* Few choose among them, so they take one line until somebody does. */}
      <Fold
        summary={`Event types: ${chosen === eventTypes.length ? 'all' : chosen} of ${eventTypes.length}`}
        open={errors['eventTypes'] !== undefined}
      >
        <Checkbox.Group
          label="Event types"
          required
          value={values.eventTypes}
          onChange={(value) => onChange({ eventTypes: value })}
          error={errors['eventTypes']}
        >
          <Stack gap="xs" mt="xs">
            {eventTypes.map((type) => (
              <Checkbox key={type} value={type} label={<code>{eventTypeWords[type].name}</code>} description={eventTypeWords[type].says} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Fold>
      <ShortText
        label="Description"
        description="Optional. For your own reference, such as which of your servers it is."
        longest={200}
        value={values.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
        error={errors['description']}
      />
      {errors['input'] && <Text c="red">{errors['input']}</Text>}
    </>
  );
}
