import { Button, Group, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useClient, useMutation, useQuery } from 'urql';
import { integrationQuery } from '../../../features/integration/integrationQuery.ts';
import type { Service } from '../../../features/integration/useIntegration.ts';
import type { DraftValues } from '../../../features/new-integration/draft.ts';
import { draftErrors } from '../../../features/new-integration/draftRules.ts';
import { clearDraft, readDraft } from '../../../features/new-integration/draftStorage.ts';
import { createIntegrationMutation, slugAvailableQuery } from '../../../features/new-integration/mutations.ts';
import { toInput } from '../../../features/new-integration/toInput.ts';
import { useDraft } from '../../../features/new-integration/useDraft.ts';
import { copyOf } from '../../../features/profile/profileValues.ts';
import { useSession, type Viewer } from '../../../features/session/SessionContext.ts';
import { acceptTermsMutation, currentTermsQuery, type Terms } from '../../../features/terms/termsQueries.ts';
import { describeError } from '../../../graphql/describeError.ts';
import { useFrame } from '../../../graphql/useFrame.ts';
import { integrationPaths } from '../../../paths.ts';
import { useFirstField } from '../../../ui/forms/useFirstField.ts';
import { useFocusOnErrors } from '../../../ui/forms/useFocusOnErrors.ts';
import { NarrowPage } from '../../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { PageLoading } from '../../../ui/states/PageLoading.tsx';
import { AboutPart, PublicPagesPart, ScopesPart, TermsPart, UsePart } from './Parts.tsx';

/** Creates an integration. `?from=<slug>` starts with the profile of one of the reader's integrations. */
export function Component() {
  const { viewer: operator } = useSession();
  const [terms, readTerms] = useQuery({ query: currentTermsQuery });
  const [facts, readService] = useFrame();
  const [search, setSearch] = useSearchParams();
  const [copied, setCopied] = useState<DraftValues | null>(null);
  const from = search.get('from');
  const data = operator && terms.data && facts.data ? { ...terms.data, service: facts.data.service, viewer: operator } : undefined;
  function retry() {
    readTerms({ requestPolicy: 'network-only' });
    readService({ requestPolicy: 'network-only' });
  }
  /** The copy is then kept like any other draft, so that it survives a reload. */
  function begin(values: DraftValues | null) {
    setCopied(values);
    setSearch({}, { replace: true });
  }
  return (
    <Loaded whole result={{ data, error: terms.error ?? facts.error }} onRetry={retry}>
      {({ viewer, currentTerms, service }) => (
        <NarrowPage width={760}>
          <PageHeader title="New integration" />
          {from === null ? (
            <NewIntegrationForm viewer={viewer} terms={currentTerms} service={service} copied={copied} />
          ) : (
            <DuplicateProfile
              from={from}
              unfinished={unfinishedName(viewer, currentTerms.version)}
              onCopied={begin}
              onKept={() => begin(null)}
            />
          )}
        </NarrowPage>
      )}
    </Loaded>
  );
}

function unfinishedName(viewer: Viewer, termsVersion: number): string | null {
  const draft = readDraft(viewer.operatorId ?? viewer.email, termsVersion);
  return draft && (draft.values.publicName.trim() || null);
}

type DuplicateProfileProps = {
  /** The slug of the integration to copy. */
  from: string;
  /** The name of an unfinished draft in this browser, or null. */
  unfinished: string | null;
  onCopied: (values: DraftValues) => void;
  onKept: () => void;
};

/** Copies the profile of one of the reader's integrations into the form for a new one. It asks before it replaces an unfinished draft. */
function DuplicateProfile({ from, unfinished, onCopied, onKept }: DuplicateProfileProps) {
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

type NewIntegrationFormProps = {
  viewer: Viewer;
  service: Service;
  terms: Terms;
  /** A profile to begin with. It replaces an unfinished draft. */
  copied: DraftValues | null;
};

/** The form. It is checked before it is sent, and the service's refusals are shown at their fields. */
function NewIntegrationForm({ viewer, service, terms, copied }: NewIntegrationFormProps) {
  const operatorId = viewer.operatorId ?? viewer.email;
  const operator = { email: viewer.email, language: navigator.language };
  const { form, wasRestored } = useDraft(operatorId, operator, terms.version, copied);
  const [acceptance, acceptTerms] = useMutation(acceptTermsMutation);
  const [creation, createIntegration] = useMutation(createIntegrationMutation);
  const client = useClient();
  const [problem, setProblem] = useState<string | null>(null);
  const { refresh } = useSession();
  const navigate = useNavigate();
  const { formElement, bringToErrors } = useFocusOnErrors();
  const accepted = viewer.acceptedTermsVersion === terms.version;
  const first = useRef<HTMLInputElement>(null);
  useFirstField(first);

  function showErrors(errors: Readonly<Record<string, string>>) {
    form.setErrors(errors);
    bringToErrors();
  }

  /** A version may have been published while the form was open. */
  function readTermsAgain() {
    form.setValues({ nonCommercial: false, attribution: false });
    refresh();
    void client.query(currentTermsQuery, {}, { requestPolicy: 'network-only' }).toPromise();
  }

  async function accept(): Promise<boolean> {
    if (accepted) return true;
    const { error } = await acceptTerms({ input: { version: terms.version, nonCommercial: true, attribution: true } });
    if (error) {
      setProblem(describeError(error).message);
      readTermsAgain();
    } else refresh();
    return !error;
  }

  /** Whether a slug is taken, only the service knows. If it cannot be asked now, it decides when the integration is created. */
  async function checkSlug() {
    const slug = form.values.slug.trim();
    if ('slug' in draftErrors(form.values)) return;
    const { data } = await client.query(slugAvailableQuery, { slug }, { requestPolicy: 'network-only' });
    if (data?.slugAvailable === false) form.setFieldError('slug', 'This slug is taken or reserved. Choose another one.');
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setProblem(null);
    const errors = draftErrors(form.values);
    if (Object.keys(errors).length > 0) return showErrors(errors);
    if (!(await accept())) return;
    const { data, error } = await createIntegration({ input: toInput(form.values, terms.version) });
    if (data) {
      clearDraft(operatorId);
      // Its certificate is what comes next.
      await navigate(integrationPaths(data.createIntegration.slug).certificates());
      return;
    }
    const { code, message, fields } = describeError(error);
    if (Object.keys(fields).length > 0) return showErrors(fields);
    setProblem(message);
    if (code === 'CONFLICT') readTermsAgain();
  }

  return (
    <form ref={formElement} onSubmit={(event) => void submit(event)} noValidate aria-label="New integration">
      <Stack gap="md">
        {wasRestored && (
          <Text size="sm" c="dimmed">
            Your draft was restored from this browser.
          </Text>
        )}
        <AboutPart {...{ form, operator, first }} onNamed={() => void checkSlug()} />
        <PublicPagesPart {...{ form, operator }} />
        <ScopesPart form={form} scopes={service.scopes} />
        <UsePart {...{ form, operator }} />
        <TermsPart {...{ form, terms, accepted }} />
        {problem && <ErrorMessage message={problem} />}
        <Group gap="sm">
          <Button type="submit" loading={acceptance.fetching || creation.fetching}>
            {accepted ? 'Create integration' : 'Accept the terms and create'}
          </Button>
          <Text size="sm" c="dimmed">
            This makes nothing public.
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
