import { Button, Group, Text, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useClient, useMutation, useQuery } from 'urql';
import { integrationQuery } from '../../../features/integration/integrationQuery.ts';
import type { Service } from '../../../features/integration/useIntegration.ts';
import { type DraftValues, stepOf, steps } from '../../../features/new-integration/draft.ts';
import { type DraftErrors, firstStepWithErrors, stepErrors } from '../../../features/new-integration/draftRules.ts';
import { clearDraft, readDraft } from '../../../features/new-integration/draftStorage.ts';
import { createIntegrationMutation, slugAvailableQuery } from '../../../features/new-integration/mutations.ts';
import { toInput } from '../../../features/new-integration/toInput.ts';
import { useDraft } from '../../../features/new-integration/useDraft.ts';
import { copyOf } from '../../../features/profile/profileValues.ts';
import { scopeAdviceQuery } from '../../../features/scopes/scopeAdviceQuery.ts';
import { useSession, type Viewer } from '../../../features/session/SessionContext.ts';
import { acceptTermsMutation, currentTermsQuery, type Terms } from '../../../features/terms/termsQueries.ts';
import { describeError } from '../../../graphql/describeError.ts';
import { useFrame } from '../../../graphql/useFrame.ts';
import { integrationPaths } from '../../../paths.ts';
import { useFocusOnErrors } from '../../../ui/forms/useFocusOnErrors.ts';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { PageLoading } from '../../../ui/states/PageLoading.tsx';
import stepListClasses from './StepList.module.css';
import { AboutStep, CheckStep, LinksStep, PlanningStep, ScopesStep, TermsStep } from './Steps.tsx';

/** Creates an integration, step by step. `?from=<slug>` starts with the profile of one of the reader's integrations. */
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
    <Loaded result={{ data, error: terms.error ?? facts.error }} onRetry={retry}>
      {({ viewer, currentTerms, service }) => (
        <>
          <PageHeader
            title="New integration"
            lead="It starts as a private draft with its own sandbox. Your draft is kept in this browser until you create the integration."
          />
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
        </>
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

/** The form, step by step. Each step is checked before the next one opens, and the service's refusals are shown at their fields. */
function NewIntegrationForm({ viewer, service, terms, copied }: NewIntegrationFormProps) {
  const operatorId = viewer.operatorId ?? viewer.email;
  const { form, step, setStep, wasRestored } = useDraft(operatorId, terms.version, copied);
  const [acceptance, acceptTerms] = useMutation(acceptTermsMutation);
  const [creation, createIntegration] = useMutation(createIntegrationMutation);
  const client = useClient();
  const [checking, setChecking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { refresh } = useSession();
  const navigate = useNavigate();
  const heading = useFocusOnChange(step);
  const { formElement, bringToErrors } = useFocusOnErrors(step);
  const accepted = viewer.acceptedTermsVersion === terms.version;
  const isLast = step === steps.length - 1;

  function goTo(target: number) {
    setProblem(null);
    setStep(target);
  }

  function showErrors(errors: Readonly<Record<string, string>>, target: number) {
    if (target !== step) setStep(target);
    form.setErrors(errors);
    bringToErrors(target);
  }

  /** A version may have been published while the form was open. */
  function readTermsAgain() {
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

  /**
   * Asks the service what only it knows about a step's fields. If the check itself fails, the reader can go on: the service decides when
   * the integration is created.
   */
  async function serviceErrors(): Promise<DraftErrors> {
    if (step === stepOf('slug')) {
      const { data } = await client.query(slugAvailableQuery, { slug: form.values.slug.trim() }, { requestPolicy: 'network-only' });
      return data?.slugAvailable === false ? { slug: 'This slug is taken or reserved. Choose another one.' } : {};
    }
    if (step === stepOf('requestedScopes')) {
      const { data } = await client.query(scopeAdviceQuery, { scopes: form.values.requestedScopes });
      return data?.scopeAdvice.refusal ? { requestedScopes: data.scopeAdvice.refusal } : {};
    }
    return {};
  }

  async function create() {
    const unfinished = firstStepWithErrors(form.values);
    if (unfinished !== null) return showErrors(stepErrors(unfinished, form.values), unfinished);
    const { data, error } = await createIntegration({ input: toInput(form.values, terms.version) });
    if (data) {
      clearDraft(operatorId);
      await navigate(integrationPaths(data.createIntegration.slug).overview());
      return;
    }
    const { code, message, fields } = describeError(error);
    setProblem(message);
    if (code === 'CONFLICT') {
      readTermsAgain();
      setStep(0);
    }
    const first = Object.keys(fields).sort((a, b) => stepOf(a) - stepOf(b))[0];
    if (first) showErrors(fields, stepOf(first));
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setProblem(null);
    const errors = stepErrors(step, form.values);
    if (Object.keys(errors).length > 0) return showErrors(errors, step);
    if (isLast) return create();
    if (step === 0 && !(await accept())) return;
    setChecking(true);
    const refusals = await serviceErrors();
    setChecking(false);
    if (Object.keys(refusals).length > 0) return showErrors(refusals, step);
    setStep(step + 1);
  }

  return (
    <form ref={formElement} onSubmit={(event) => void submit(event)} noValidate>
      <StepList step={step} onSelect={goTo} />
      {wasRestored && step > 0 && !isLast && (
        <Text size="sm" c="dimmed" mb="md">
          Your draft was restored from this browser. It is kept here until you create the integration.
        </Text>
      )}
      <Title order={2} mb="md" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
        {steps[step]?.name}
      </Title>
      {problem && <ErrorMessage message={problem} />}
      {step === 0 && <TermsStep form={form} terms={terms} accepted={accepted} />}
      {step === 1 && <AboutStep form={form} />}
      {step === 2 && <LinksStep form={form} />}
      {step === 3 && <ScopesStep form={form} scopes={service.scopes} />}
      {step === 4 && <PlanningStep form={form} />}
      {isLast && <CheckStep values={form.values} onEdit={goTo} />}
      <Group gap="sm" mt="xl">
        {step > 0 && (
          <Button variant="default" onClick={() => goTo(step - 1)}>
            Back
          </Button>
        )}
        <Button type="submit" loading={acceptance.fetching || creation.fetching || checking}>
          {isLast ? 'Create integration' : step === 0 && !accepted ? 'Accept and continue' : 'Continue'}
        </Button>
      </Group>
    </form>
  );
}

/** Moves the focus to a step's heading when the step changes, not when the page opens. */
function useFocusOnChange(step: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus();
  }, [step]);
  return heading;
}

/** Shows where in the form the reader is. Readers can go back to earlier steps. */
function StepList({ step, onSelect }: { step: number; onSelect: (step: number) => void }) {
  return (
    <nav aria-label="Steps">
      <p className={stepListClasses.narrow}>
        Step {step + 1} of {steps.length}
      </p>
      <ol className={stepListClasses.list}>
        {steps.map(({ name }, index) => (
          <li key={name} data-state={index < step ? 'done' : index === step ? 'current' : 'ahead'}>
            <button
              type="button"
              disabled={index > step}
              aria-current={index === step ? 'step' : undefined}
              onClick={() => onSelect(index)}
            >
              <span className={stepListClasses.mark} aria-hidden>
                {index < step ? <IconCheck size={14} stroke={2.5} /> : index + 1}
              </span>
              <span className={stepListClasses.name}>{name}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
