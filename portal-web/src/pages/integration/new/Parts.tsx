import { Anchor, Button, Checkbox, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { profileFields } from '../../../../../server/domain/integration/profile/profileFields.ts';
import type { Service } from '../../../features/integration/useIntegration.ts';
import { webhookModelWords } from '../../../features/integration/webhookModelWords.ts';
import { Markdown } from '../../../features/markdown/Markdown.tsx';
import { withoutTitle } from '../../../features/markdown/withoutTitle.ts';
import { isRequired } from '../../../features/new-integration/draftRules.ts';
import { isProposed, type Operator, scopePresets } from '../../../features/new-integration/proposals.ts';
import type { DraftForm } from '../../../features/new-integration/useDraft.ts';
import { CountryField } from '../../../features/profile/CountryField.tsx';
import { ScopeChoice } from '../../../features/scopes/ScopeChoice.tsx';
import { promises } from '../../../features/terms/promises.ts';
import type { Terms } from '../../../features/terms/termsQueries.ts';
import { paths } from '../../../paths.ts';
import { LongText } from '../../../ui/forms/LongText.tsx';
import { ShortText } from '../../../ui/forms/ShortText.tsx';
import { WholeNumberField } from '../../../ui/forms/WholeNumberField.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import classes from './Parts.module.css';

type PartProps = { form: DraftForm; operator: Operator };

/** What a field is for. A field that still holds what was proposed for it says so. */
function describe(field: string, words: string, { form, operator }: PartProps): ReactNode {
  return (
    <>
      {words} {isProposed(field, form.values, operator) && <span className={classes.proposed}>Suggested</span>}
    </>
  );
}

/** Asks who is behind the integration and what it is for. `onNamed` is called when its name or slug may be complete. */
export function AboutPart({ form, operator, onNamed }: PartProps & { onNamed: () => void }) {
  const words = (field: string, text: string) => describe(field, text, { form, operator });
  return (
    <Panel title="About">
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <ShortText
            label="Public name"
            description="Users see it when they decide what to share."
            required
            longest={profileFields.publicName.typed.longest}
            {...form.getInputProps('publicName')}
            value={form.values.publicName}
            onBlur={onNamed}
          />
          <ShortText
            label="Slug"
            description={words('slug', 'Used in its web address; cannot be changed later.')}
            required
            longest={40}
            spellCheck={false}
            autoCapitalize="off"
            leftSection={<Text c="dimmed">/</Text>}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            {...form.getInputProps('slug')}
            value={form.values.slug}
            onBlur={onNamed}
          />
        </SimpleGrid>
        <LongText
          label="Public description"
          description="What the integration does for its users, in a few sentences."
          longest={profileFields.publicDescription.typed.longest}
          required
          minRows={2}
          maxRows={8}
          {...form.getInputProps('publicDescription')}
          value={form.values.publicDescription}
        />
        <LongText
          label="Purpose"
          description="The specific purpose for which you use shared data. Users consent to exactly this."
          longest={profileFields.purpose.typed.longest}
          required
          minRows={2}
          maxRows={12}
          {...form.getInputProps('purpose')}
          value={form.values.purpose}
        />
        <ShortText
          label="Legal operator name"
          description="The person or company responsible."
          required
          longest={profileFields.legalOperatorName.typed.longest}
          {...form.getInputProps('legalOperatorName')}
          value={form.values.legalOperatorName}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <CountryField
            label="Country"
            description={words('country', 'Where the operator is established.')}
            {...form.getInputProps('country')}
          />
          <ShortText
            label="Support email"
            description={words('supportEmail', 'Public. Your users write to it.')}
            type="email"
            required
            longest={profileFields.supportEmail.typed.longest}
            {...form.getInputProps('supportEmail')}
            value={form.values.supportEmail}
          />
        </SimpleGrid>
      </Stack>
    </Panel>
  );
}

const links = [
  { field: 'websiteUrl', label: 'Website', description: 'The home page of the integration.' },
  {
    field: 'privacyPolicyUrl',
    label: 'Privacy policy',
    description: 'Users consent to it, so a later change asks for their consent again.',
  },
  { field: 'termsOfServiceUrl', label: 'Terms of service', description: 'Your own terms for your users.' },
  {
    field: 'orderLinkingUrl',
    label: 'Order-linking page',
    description: 'Where your users will enter their ten-digit code. It never asks for a login, account ID, real order number or VIN.',
  },
  { field: 'donationUrl', label: 'Support or donations', description: 'Optional: where users can support you directly.' },
] as const;

/** Asks for the addresses of the integration's public pages. */
export function PublicPagesPart({ form, operator }: PartProps) {
  return (
    <Panel
      title="Public pages"
      lead="Public HTTPS addresses on the default port. The pages do not have to be finished for the sandbox; the review checks them."
    >
      <Stack gap="md">
        {links.map(({ field, label, description }) => (
          <ShortText
            key={field}
            label={label}
            description={describe(field, description, { form, operator })}
            type="url"
            inputMode="url"
            placeholder="https://"
            required={isRequired(field)}
            longest={profileFields[field].typed.longest}
            {...form.getInputProps(field)}
            value={form.values[field]}
          />
        ))}
      </Stack>
    </Panel>
  );
}

/** Asks which scopes the integration needs. A preset ticks its boxes, which can then be changed. */
export function ScopesPart({ form, scopes }: { form: DraftForm; scopes: Service['scopes'] }) {
  const listOf = (names: readonly string[]) => [...names].sort().join();
  const chosen = scopePresets.find((preset) => listOf(preset.scopes) === listOf(form.values.requestedScopes));
  return (
    <Panel title="Scopes" lead="No scope gives access to VINs, real order numbers, personal data or live vehicle state.">
      <ScopeChoice
        label="Requested scopes"
        description="Choose the smallest set that serves your purpose. The sandbox contains only what these scopes allow, and users consent to them."
        {...{ form, scopes }}
        sound={chosen !== undefined}
      >
        <Group gap="xs" mt="sm" role="group" aria-label="Sets of scopes">
          {scopePresets.map((preset) => (
            <Button
              key={preset.label}
              size="xs"
              variant={preset === chosen ? 'light' : 'default'}
              aria-pressed={preset === chosen}
              onClick={() => form.setFieldValue('requestedScopes', [...preset.scopes])}
            >
              {preset.label}
            </Button>
          ))}
        </Group>
      </ScopeChoice>
    </Panel>
  );
}

/** Asks how the integration will use the API. */
export function UsePart({ form }: { form: DraftForm }) {
  return (
    <Panel title="Use of the API" lead="This only tells reviewers your plan. You set webhooks up later, if at all.">
      <Stack gap="md">
        <WholeNumberField
          label="Polling cadence in minutes"
          description="How often your back end will poll. The minimum is 15 minutes; most integrations can poll less often."
          required
          {...form.getInputProps('pollingCadenceMinutes')}
        />
        <Radio.Group label="Webhooks" required {...form.getInputProps('webhookModel')}>
          <Stack gap="xs" mt="xs">
            {Object.entries(webhookModelWords).map(([value, label]) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </Stack>
        </Radio.Group>
      </Stack>
    </Panel>
  );
}

type TermsPartProps = { form: DraftForm; terms: Terms; accepted: boolean };

/** The full terms, and the two most important promises, each with a checkbox of its own. */
export function TermsPart({ form, terms, accepted }: TermsPartProps) {
  const lead = accepted
    ? 'You have accepted this version. The promises below are made for each integration.'
    : 'By creating the integration you accept this version.';
  return (
    <Panel title="Terms">
      <Stack gap="md">
        <Text c="dimmed" size="sm">
          {terms.title}, version {terms.version}. {lead}{' '}
          <Anchor component={Link} to={paths.terms(terms.version)} target="_blank" inherit display="inline-block">
            Open in a new tab
          </Anchor>
        </Text>
        {/* Anyone who has no wheel scrolls it with the arrow keys. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div role="region" aria-label={terms.title} tabIndex={0} className={classes.terms}>
          <Markdown source={withoutTitle(terms.markdown)} under={2} />
        </div>
        <Checkbox {...promises.nonCommercial} {...form.getInputProps('nonCommercial', { type: 'checkbox' })} />
        <Checkbox {...promises.attribution} {...form.getInputProps('attribution', { type: 'checkbox' })} />
      </Stack>
    </Panel>
  );
}
