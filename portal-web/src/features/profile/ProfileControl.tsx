import { Checkbox, Radio, Stack } from '@mantine/core';
import { LongText } from '../../ui/forms/LongText.tsx';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import { WholeNumberField } from '../../ui/forms/WholeNumberField.tsx';
import { ScopeAdvice } from '../scopes/ScopeAdvice.tsx';
import type { Service } from '../integration/useIntegration.ts';
import { webhookModelWords } from '../integration/webhookModelWords.ts';
import type { DraftForm } from '../new-integration/useDraft.ts';
import { CountryField } from './CountryField.tsx';
import type { ProfileField } from './profileQueries.ts';

const longest = {
  publicDescription: 500,
  purpose: 1000,
  publicName: 60,
  legalOperatorName: 120,
  supportEmail: 254,
} as const;

/** The input for one field. Fields that cannot change now have none. */
export function ProfileControl({ field, form, scopes }: { field: ProfileField; form: DraftForm; scopes: Service['scopes'] }) {
  const { name, label } = field;
  const description = field.consentRelevant ? 'Users consent to it, so a change requires their consent again.' : undefined;
  switch (name) {
    case 'publicDescription':
    case 'purpose':
      return (
        <LongText
          {...{ label, description }}
          required
          minRows={2}
          maxRows={12}
          longest={longest[name]}
          {...form.getInputProps(name)}
          value={form.values[name]}
        />
      );
    case 'country':
      return <CountryField label={label} {...form.getInputProps('country')} />;
    case 'requestedScopes':
      return (
        <>
          <Checkbox.Group
            label={label}
            description="The smallest set that serves your purpose. Changing scopes regenerates the test data: the sandbox’s connections, link codes, identifiers and revocations are removed."
            required
            {...form.getInputProps('requestedScopes')}
          >
            <Stack gap="xs" mt="sm">
              {scopes.map((scope) => (
                <Checkbox key={scope.name} value={scope.name} label={scope.name} description={scope.grants} />
              ))}
            </Stack>
          </Checkbox.Group>
          <ScopeAdvice scopes={form.values.requestedScopes} told={form.errors['requestedScopes']} />
        </>
      );
    case 'pollingCadenceMinutes':
      return (
        <WholeNumberField
          label={label}
          description="How often your back end will poll, from 15 to 1,440 minutes."
          required
          {...form.getInputProps('pollingCadenceMinutes')}
        />
      );
    case 'webhookModel':
      return (
        <Radio.Group label={label} required {...form.getInputProps('webhookModel')}>
          <Stack gap="xs" mt="sm">
            {Object.entries(webhookModelWords).map(([value, words]) => (
              <Radio key={value} value={value} label={words} />
            ))}
          </Stack>
        </Radio.Group>
      );
    case 'logoId':
      return null;
    default:
      return (
        <ShortText
          {...{ label, description }}
          required={name !== 'donationUrl'}
          longest={name in longest ? longest[name as keyof typeof longest] : 2048}
          {...(name.endsWith('Url') && { type: 'url', inputMode: 'url', placeholder: 'https://' })}
          {...(name === 'supportEmail' && { type: 'email' })}
          {...form.getInputProps(name)}
          value={String(form.getInputProps(name).value)}
        />
      );
  }
}
