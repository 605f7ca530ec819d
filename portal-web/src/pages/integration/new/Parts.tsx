import { Anchor, Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { type ReactNode, type RefObject, useState } from 'react';
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
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import classes from './Parts.module.css';

type PartProps = { form: DraftForm; operator: Operator };

/** What a field is for, where its name does not say it. A field that still holds what was proposed for it says so; without a word, its line stays. */
function describe(field: string, words: string, { form, operator }: PartProps): ReactNode {
  return (
    <>
      {words ? `${words} ` : '\u200B'}
      {isProposed(field, form.values, operator) && <span className={classes.proposed}>Suggested</span>}
    </>
  );
}

type AboutPartProps = PartProps & {
  /** The field to begin with. */
  first: RefObject<HTMLInputElement | null>;
  /** Called when the name or the slug may be complete. */
  onNamed: () => void;
};

/** Asks who is behind the integration and what it is for. */
export function AboutPart({ form, operator, first, onNamed }: AboutPartProps) {
  const words = (field: string, text: string) => describe(field, text, { form, operator });
  return (
    <Panel title="About">
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <ShortText
            label="Public name"
            description="Users see it."
            required
            ref={first}
            longest={profileFields.publicName.typed.longest}
            {...form.getInputProps('publicName')}
            value={form.values.publicName}
            onBlur={onNamed}
          />
          <ShortText
            label="Slug"
            description={words('slug', 'You cannot change it later.')}
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
          label="Purpose"
          description="Users consent to this use."
          longest={profileFields.purpose.typed.longest}
          required
          minRows={2}
          maxRows={12}
          {...form.getInputProps('purpose')}
          value={form.values.purpose}
        />
        <LongText
          label="Public description"
          description={words('publicDescription', 'What it does.')}
          longest={profileFields.publicDescription.typed.longest}
          required
          minRows={2}
          maxRows={8}
          {...form.getInputProps('publicDescription')}
          value={form.values.publicDescription}
          // What is typed takes the place of a suggestion, and does not follow it.
          onFocus={({ currentTarget }) => {
            if (isProposed('publicDescription', form.values, operator)) currentTarget.select();
          }}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <ShortText
            label="Legal operator name"
            description="A person or company."
            required
            longest={profileFields.legalOperatorName.typed.longest}
            {...form.getInputProps('legalOperatorName')}
            value={form.values.legalOperatorName}
          />
          <CountryField label="Country" description={words('country', '')} {...form.getInputProps('country')} />
        </SimpleGrid>
        <ShortText
          label="Support email"
          description={words('supportEmail', '')}
          type="email"
          required
          longest={profileFields.supportEmail.typed.longest}
          {...form.getInputProps('supportEmail')}
          value={form.values.supportEmail}
        />
      </Stack>
    </Panel>
  );
}

const links = [
  { field: 'websiteUrl', label: 'Website', description: '' },
  { field: 'privacyPolicyUrl', label: 'Privacy policy', description: '' },
  { field: 'termsOfServiceUrl', label: 'Terms of service', description: 'Your own.' },
  { field: 'orderLinkingUrl', label: 'Order-linking page', description: 'Where users enter link codes.' },
  { field: 'donationUrl', label: 'Support or donations', description: 'Optional.' },
] as const;

/** Asks for the addresses of the integration's public pages. */
export function PublicPagesPart({ form, operator }: PartProps) {
  return (
    <Panel title="Public pages" lead="They need not be online yet.">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {links.map(({ field, label, description }) => (
          <ShortText
            key={field}
            style={field === 'websiteUrl' ? { gridColumn: '1 / -1' } : undefined}
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
      </SimpleGrid>
    </Panel>
  );
}

/** Asks which scopes the integration needs. A preset ticks its boxes, which can then be changed. */
export function ScopesPart({ form, scopes }: { form: DraftForm; scopes: Service['scopes'] }) {
  const listOf = (names: readonly string[]) => [...names].sort().join();
  const chosen = scopePresets.find((preset) => listOf(preset.scopes) === listOf(form.values.requestedScopes));
  const [shown, setShown] = useState<readonly string[]>(form.values.requestedScopes);
  return (
    <Panel title="Scopes">
      <ScopeChoice label="Requested scopes" description="As few as possible." {...{ form, scopes, shown }} sound={chosen !== undefined}>
        <Group gap="xs" mt="sm" role="group" aria-label="Sets of scopes">
          {scopePresets.map((preset) => (
            <Button
              key={preset.label}
              size="xs"
              variant={preset === chosen ? 'light' : 'default'}
              aria-pressed={preset === chosen}
              onClick={() => {
                setShown(preset.scopes);
                form.setFieldValue('requestedScopes', [...preset.scopes]);
              }}
            >
              {preset.label}
            </Button>
          ))}
        </Group>
      </ScopeChoice>
    </Panel>
  );
}

const webhookModels = Object.entries(webhookModelWords).map(([value, label]) => ({ value, label }));

/** Asks how the integration will use the API. */
export function UsePart({ form, operator }: PartProps) {
  const words = (field: string, text: string) => describe(field, text, { form, operator });
  return (
    <Panel title="Plan for the reviewers">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <WholeNumberField
          label="Polling cadence in minutes"
          description={words('pollingCadenceMinutes', 'At least 15.')}
          required
          {...form.getInputProps('pollingCadenceMinutes')}
        />
        <NativeSelect
          label="Webhooks"
          description={words('webhookModel', '')}
          required
          data={webhookModels}
          {...form.getInputProps('webhookModel')}
        />
      </SimpleGrid>
    </Panel>
  );
}

type TermsPartProps = { form: DraftForm; terms: Terms; accepted: boolean };

/** The full terms, and the two most important promises, each with a checkbox of its own. */
export function TermsPart({ form, terms, accepted }: TermsPartProps) {
  return (
    <Panel title="Terms" lead={accepted && 'You have accepted this version. The promises are made for each integration.'}>
      <Stack gap="md">
        <Fold summary={`Read the ${terms.title}, version ${terms.version}`}>
          <Stack gap="xs">
            {/* Anyone who has no wheel scrolls it with the arrow keys. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <div role="region" aria-label={terms.title} tabIndex={0} className={classes.terms}>
              <Markdown source={withoutTitle(terms.markdown)} under={2} />
            </div>
            <Anchor component={Link} to={paths.terms(terms.version)} target="_blank" size="sm" w="fit-content">
              Open in a new tab
            </Anchor>
          </Stack>
        </Fold>
        <Checkbox {...promises.nonCommercial} {...form.getInputProps('nonCommercial', { type: 'checkbox' })} />
        <Checkbox {...promises.attribution} {...form.getInputProps('attribution', { type: 'checkbox' })} />
      </Stack>
    </Panel>
  );
}
