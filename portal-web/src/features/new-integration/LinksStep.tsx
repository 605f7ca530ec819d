import { Stack, Text } from '@mantine/core';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import type { DraftForm } from './useDraft.ts';

const links = [
  { field: 'websiteUrl', label: 'Website', description: 'The home page of the integration.', required: true },
  {
    field: 'privacyPolicyUrl',
    label: 'Privacy policy',
    description: 'Users consent to it, so a later change requires their consent again.',
    required: true,
  },
  { field: 'termsOfServiceUrl', label: 'Terms of service', description: 'Your own terms for your users.', required: true },
  {
    field: 'orderLinkingUrl',
    label: 'Order-linking page',
    description: 'Where your users will enter their ten-digit code. It never asks for a login, account ID, real order number or VIN.',
    required: true,
  },
  { field: 'donationUrl', label: 'Support or donations', description: 'Optional: where users can support you directly.', required: false },
] as const;

/** Asks for the addresses of the integration's public pages. */
export function LinksStep({ form }: { form: DraftForm }) {
  return (
    <Stack gap="md" maw={640}>
      <Text c="dimmed">
        Public HTTPS addresses on the default port. The pages do not have to be finished for the sandbox, but they are checked in the
        review.
      </Text>
      {links.map(({ field, label, description, required }) => (
        <ShortText
          key={field}
          label={label}
          description={description}
          type="url"
          inputMode="url"
          placeholder="https://"
          required={required}
          longest={2048}
          {...form.getInputProps(field)}
          value={form.values[field]}
        />
      ))}
    </Stack>
  );
}
