import { Anchor, Button, Checkbox, Radio, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { countryName } from '../../../features/integration/countries.ts';
import type { Service } from '../../../features/integration/useIntegration.ts';
import { webhookModelWords } from '../../../features/integration/webhookModelWords.ts';
import { Markdown } from '../../../features/markdown/Markdown.tsx';
import { withoutTitle } from '../../../features/markdown/withoutTitle.ts';
import { type DraftValues, suggestSlug } from '../../../features/new-integration/draft.ts';
import { isRequired } from '../../../features/new-integration/draftRules.ts';
import type { DraftForm } from '../../../features/new-integration/useDraft.ts';
import { CountryField } from '../../../features/profile/CountryField.tsx';
import { ScopeAdvice } from '../../../features/scopes/ScopeAdvice.tsx';
import { ScopeList } from '../../../features/scopes/ScopeList.tsx';
import { promises } from '../../../features/terms/promises.ts';
import type { Terms } from '../../../features/terms/termsQueries.ts';
import { paths } from '../../../paths.ts';
import { LongText } from '../../../ui/forms/LongText.tsx';
import { ShortText } from '../../../ui/forms/ShortText.tsx';
import { WholeNumberField } from '../../../ui/forms/WholeNumberField.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import classes from './steps.module.css';

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

/** Asks which scopes the integration needs. */
export function ScopesStep({ form, scopes }: { form: DraftForm; scopes: Service['scopes'] }) {
  return (
    <>
      <Checkbox.Group
        label="Requested scopes"
        description="Choose the smallest set that serves your purpose. The sandbox contains only what these scopes allow, and users consent to them."
        required
        {...form.getInputProps('requestedScopes')}
      >
        <Stack gap="xs" mt="md" maw={640}>
          {scopes.map(({ name, grants }) => (
            <div key={name} className={classes.scope}>
              <Checkbox value={name} label={name} description={grants} />
            </div>
          ))}
          <Text size="sm" c="dimmed">
            These are all the scopes there are. None gives access to VINs, real order numbers, personal data or live vehicle state.
          </Text>
        </Stack>
      </Checkbox.Group>
      <ScopeAdvice scopes={form.values.requestedScopes} told={form.errors['requestedScopes']} />
    </>
  );
}

type TermsStepProps = { form: DraftForm; terms: Terms; accepted: boolean };

/** The full terms, and the two most important promises, each with a checkbox of its own. */
export function TermsStep({ form, terms, accepted }: TermsStepProps) {
  return (
    <Stack gap="md" className={classes.termsStep}>
      <Text c="dimmed">
        {terms.title}, version {terms.version}.{' '}
        {accepted
          ? 'You have already accepted this version. You confirm the two promises below for each integration.'
          : 'By continuing you accept this version.'}{' '}
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
  );
}

const links = [
  { field: 'websiteUrl', label: 'Website', description: 'The home page of the integration.' },
  {
    field: 'privacyPolicyUrl',
    label: 'Privacy policy',
    description: 'Users consent to it, so a later change requires their consent again.',
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
export function LinksStep({ form }: { form: DraftForm }) {
  return (
    <Stack gap="md" maw={640}>
      <Text c="dimmed">
        Public HTTPS addresses on the default port. The pages do not have to be finished for the sandbox, but they are checked in the
        review.
      </Text>
      {links.map(({ field, label, description }) => (
        <ShortText
          key={field}
          label={label}
          description={description}
          type="url"
          inputMode="url"
          placeholder="https://"
          required={isRequired(field)}
          longest={2048}
          {...form.getInputProps(field)}
          value={form.values[field]}
        />
      ))}
    </Stack>
  );
}

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

/** Shows all entries once more before the integration is created. */
export function CheckStep({ values, onEdit }: { values: DraftValues; onEdit: (step: number) => void }) {
  return (
    <div>
      <Text c="dimmed" maw={640} mb="lg">
        This creates the profile and a sandbox client with its quota, and starts generating test data. Nothing becomes public. The slug{' '}
        <code>{values.slug}</code> will be permanent.
      </Text>
      {groupsOf(values).map(({ name, step, facts }) => (
        <section key={name} className={classes.group} aria-label={name}>
          <div className={classes.groupHead}>
            <Title order={3}>{name}</Title>
            <Button variant="subtle" size="compact-sm" onClick={() => onEdit(step)} aria-label={`Change ${name.toLowerCase()}`}>
              Change
            </Button>
          </div>
          <Facts facts={facts} />
          {name === 'Scopes' && <ScopeAdvice scopes={values.requestedScopes} />}
        </section>
      ))}
    </div>
  );
}

type Group = { name: string; step: number; facts: (readonly [string, ReactNode])[] };

function groupsOf(values: DraftValues): Group[] {
  return [
    {
      name: 'About',
      step: 1,
      facts: [
        ['Public name', values.publicName],
        ['Slug', <code key="slug">{values.slug}</code>],
        ['Public description', values.publicDescription],
        ['Purpose', values.purpose],
        ['Legal operator', `${values.legalOperatorName}, ${countryName(values.country)}`],
        ['Support email', values.supportEmail],
      ],
    },
    {
      name: 'Links',
      step: 2,
      facts: [
        ['Website', values.websiteUrl],
        ['Privacy policy', values.privacyPolicyUrl],
        ['Terms of service', values.termsOfServiceUrl],
        ['Order-linking page', values.orderLinkingUrl],
        ['Support or donations', values.donationUrl || 'None'],
      ],
    },
    { name: 'Scopes', step: 3, facts: [['Requested scopes', <ScopeList key="scopes" scopes={values.requestedScopes} />]] },
    {
      name: 'Planning',
      step: 4,
      facts: [
        ['Polling', `Every ${values.pollingCadenceMinutes} minutes`],
        ['Webhooks', webhookModelWords[values.webhookModel]],
      ],
    },
  ];
}
