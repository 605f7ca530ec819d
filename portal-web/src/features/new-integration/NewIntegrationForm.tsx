import { Button, Group, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { useClient, useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { integrationPaths } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFocusOnErrors } from '../../ui/forms/useFocusOnErrors.ts';
import { scopeAdviceQuery } from '../scopes/scopeAdviceQuery.ts';
import type { Service } from '../integration/useIntegration.ts';
import { useSession, type Viewer } from '../session/SessionContext.ts';
import { acceptTermsMutation, currentTermsQuery, type Terms } from '../terms/termsQueries.ts';
import { AboutStep } from './AboutStep.tsx';
import { CheckStep } from './CheckStep.tsx';
import { stepOf, steps, type DraftValues } from './draft.ts';
import { firstStepWithErrors, stepErrors, type DraftErrors } from './draftRules.ts';
import { clearDraft } from './draftStorage.ts';
import { LinksStep } from './LinksStep.tsx';
import { createIntegrationMutation, slugAvailableQuery } from './mutations.ts';
import { PlanningStep } from './PlanningStep.tsx';
import { ScopesStep } from './ScopesStep.tsx';
import { StepList } from './StepList.tsx';
import { TermsStep } from './TermsStep.tsx';
import { toInput } from './toInput.ts';
import { useDraft } from './useDraft.ts';

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
