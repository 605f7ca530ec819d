import { Anchor, Button, Checkbox, Group, Radio, Stack, Text, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useClient, useMutation } from 'urql';
import { describeError } from '../../../graphql/describeError.ts';
import { integrationPaths, paths } from '../../../paths.ts';
import { ShortText } from '../../../ui/forms/ShortText.tsx';
import { useFocusOnErrors } from '../../../ui/forms/useFocusOnErrors.ts';
import { WholeNumberField } from '../../../ui/forms/WholeNumberField.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import type { Service } from '../../../features/integration/useIntegration.ts';
import { webhookModelWords } from '../../../features/integration/webhookModelWords.ts';
import { Markdown } from '../../../features/markdown/Markdown.tsx';
import { withoutTitle } from '../../../features/markdown/withoutTitle.ts';
import { ScopeAdvice } from '../../../features/scopes/ScopeAdvice.tsx';
import { scopeAdviceQuery } from '../../../features/scopes/scopeAdviceQuery.ts';
import { useSession, type Viewer } from '../../../features/session/SessionContext.ts';
import { promises } from '../../../features/terms/promises.ts';
import { acceptTermsMutation, currentTermsQuery, type Terms } from '../../../features/terms/termsQueries.ts';
import { AboutStep } from './AboutStep.tsx';
import { CheckStep } from './CheckStep.tsx';
import { type DraftValues, stepOf, steps } from '../../../features/new-integration/draft.ts';
import { type DraftErrors, firstStepWithErrors, stepErrors } from '../../../features/new-integration/draftRules.ts';
import { clearDraft } from '../../../features/new-integration/draftStorage.ts';
import { createIntegrationMutation, slugAvailableQuery } from '../../../features/new-integration/mutations.ts';
import stepListClasses from './StepList.module.css';
import classes from './steps.module.css';
import { toInput } from '../../../features/new-integration/toInput.ts';
import { type DraftForm, useDraft } from '../../../features/new-integration/useDraft.ts';

type NewIntegrationFormProps = {
  viewer: Viewer;
  service: Service;
  terms: Terms;
  /** A profile to begin with. It replaces an unfinished draft. */
  copied: DraftValues | null;
};

/** The form, step by step. Each step is checked before the next one opens, and the service's refusals are shown at their fields. */
export function NewIntegrationForm({ viewer, service, terms, copied }: NewIntegrationFormProps) {
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

/** Asks how the integration will use the API. */
function PlanningStep({ form }: { form: DraftForm }) {
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
function ScopesStep({ form, scopes }: { form: DraftForm; scopes: Service['scopes'] }) {
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

type TermsStepProps = { form: DraftForm; terms: Terms; accepted: boolean };

/** The full terms, and the two most important promises, each with a checkbox of its own. */
function TermsStep({ form, terms, accepted }: TermsStepProps) {
  return (
    <Stack gap="md">
      <Text c="dimmed" maw={640}>
        {terms.title}, version {terms.version}.{' '}
        {accepted
          ? 'You have already accepted this version. You confirm the two promises below for each integration.'
          : 'By continuing you accept this version.'}{' '}
        <Anchor component={Link} to={paths.terms(terms.version)} target="_blank" inherit>
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
function LinksStep({ form }: { form: DraftForm }) {
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
