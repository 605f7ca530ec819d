import { Stack, Text } from '@mantine/core';
import { LongText } from '../../../ui/forms/LongText.tsx';
import { ShortText } from '../../../ui/forms/ShortText.tsx';
import { CountryField } from '../../../features/profile/CountryField.tsx';
import { suggestSlug } from '../../../features/new-integration/draft.ts';
import type { DraftForm } from '../../../features/new-integration/useDraft.ts';

/** Asks who is behind the integration and what it is for. */
export function AboutStep({ form }: { form: DraftForm }) {
  const { publicName, slug } = form.values;
  const name = form.getInputProps('publicName');

  function rename(value: string) {
    // The suggested slug follows the name until the reader enters one of their own.
    if (slug === suggestSlug(publicName)) form.setFieldValue('slug', suggestSlug(value));
    form.setFieldValue('publicName', value);
  }

  return (
    <Stack gap="md" maw={640}>
      <ShortText
        label="Public name"
        description="Users see it when they decide what to share."
        required
        longest={60}
        {...name}
        value={publicName}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <ShortText
        label="Slug"
        description="Used in web addresses. It is permanent: you cannot change it later, and nobody else can ever use it."
        required
        longest={40}
        spellCheck={false}
        autoCapitalize="off"
        leftSection={<Text c="dimmed">/</Text>}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...form.getInputProps('slug')}
        value={form.values.slug}
      />
      <LongText
        label="Public description"
        description="What the integration does for its users, in a few sentences."
        longest={500}
        required
        minRows={2}
        maxRows={8}
        {...form.getInputProps('publicDescription')}
        value={form.values.publicDescription}
      />
      <LongText
        label="Purpose"
        description="The specific purpose for which you use shared data. Users consent to exactly this."
        longest={1000}
        required
        minRows={3}
        maxRows={12}
        {...form.getInputProps('purpose')}
        value={form.values.purpose}
      />
      <ShortText
        label="Legal operator name"
        description="The person or company responsible."
        required
        longest={120}
        {...form.getInputProps('legalOperatorName')}
        value={form.values.legalOperatorName}
      />
      <CountryField label="Country" description="Where the operator is established." {...form.getInputProps('country')} />
      <ShortText
        label="Support email"
        description="Public. Your users write to this address."
        type="email"
        required
        longest={254}
        {...form.getInputProps('supportEmail')}
        value={form.values.supportEmail}
      />
    </Stack>
  );
}
