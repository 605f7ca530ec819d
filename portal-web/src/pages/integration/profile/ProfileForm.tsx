import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, type SubmitEvent, useEffect, useEffectEvent, useState } from 'react';
import { useMutation } from 'urql';
import { type ChosenField, typedInto } from '../../../../../server/domain/integration/profile/profileFields.ts';
import { describeError } from '../../../graphql/describeError.ts';
import { LeaveGuard } from '../../../ui/forms/LeaveGuard.tsx';
import { LongText } from '../../../ui/forms/LongText.tsx';
import { ShortText } from '../../../ui/forms/ShortText.tsx';
import { useFocusOnErrors } from '../../../ui/forms/useFocusOnErrors.ts';
import { WholeNumberField } from '../../../ui/forms/WholeNumberField.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import type { Integration } from '../../../features/integration/integrationQuery.ts';
import type { Service } from '../../../features/integration/useIntegration.ts';
import { webhookModelWords } from '../../../features/integration/webhookModelWords.ts';
import type { DraftValues } from '../../../features/new-integration/draft.ts';
import { draftErrors, isRequired } from '../../../features/new-integration/draftRules.ts';
import type { TabDraft } from '../../../features/drafts/useTabDraft.ts';
import type { DraftForm } from '../../../features/new-integration/useDraft.ts';
import { ScopeChoice } from '../../../features/scopes/ScopeChoice.tsx';
import { ChangeList } from '../../../features/profile/ChangeList.tsx';
import { CountryField } from '../../../features/profile/CountryField.tsx';
import { type ProfileField, reviseProfileMutation } from '../../../features/profile/profileQueries.ts';
import { pendingChanges, type ProfileDraft, rebased, toRevision, valuesOf } from '../../../features/profile/profileValues.ts';

/** What of a draft can still be saved: its status may have changed since, and with it the fields that can. Null if that is nothing. */
export function stillPossible({ begun, typed }: ProfileDraft, fields: readonly ProfileField[]): ProfileDraft | null {
  const changes = pendingChanges(fields, begun.values, typed);
  return changes.length === 0 ? null : { begun, typed: rebased(changes, typed, begun.values) };
}

type ProfileFormProps = {
  integration: Integration;
  fields: readonly ProfileField[];
  service: Service;
  /** What was typed and not saved. */
  draft: TabDraft<ProfileDraft>;
  onClose: () => void;
  onSaved: () => void;
  /** Called if another version was stored meanwhile or the status has changed, so the page must be read again. */
  onStale: () => void;
};

/** Edits the fields that can change now, shows what saving would change, and saves the profile. */
export function ProfileForm({ integration, fields, service, draft, onClose, onSaved, onStale }: ProfileFormProps) {
  // The version and values that the reader began with. A version stored meanwhile must not change them unnoticed.
  const [begun, setBegun] = useState(
    () => draft.kept?.begun ?? { version: integration.profile.version, values: valuesOf(integration.profile) },
  );
  const form = useForm<DraftValues>({ initialValues: draft.kept?.typed ?? begun.values, clearInputErrorOnChange: true });
  const [checking, setChecking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [{ fetching }, reviseProfile] = useMutation(reviseProfileMutation);
  const { formElement, bringToErrors } = useFocusOnErrors();
  const changes = pendingChanges(fields, begun.values, form.values);
  const { values: typed } = form;
  const keep = useEffectEvent((kept: ProfileDraft) => draft.keep(changes.length > 0 ? kept : null));
  useEffect(() => keep({ begun, typed }), [begun, typed]);

  function goOnFromStored() {
    const stored = valuesOf(integration.profile);
    form.setValues(rebased(changes, form.values, stored));
    setBegun({ version: integration.profile.version, values: stored });
    setProblem(null);
  }

  function showErrors(errors: Readonly<Record<string, string>>) {
    setChecking(false);
    form.setErrors(errors);
    bringToErrors();
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setProblem(null);
    const revisable = new Set(fields.filter((field) => field.revisable).map(({ name }) => name));
    const errors = Object.entries(draftErrors(form.values));
    const own = Object.fromEntries(errors.filter(([name]) => revisable.has(name)));
    if (Object.keys(own).length > 0) return showErrors(own);
    if (changes.length === 0) return setProblem('You have not changed anything yet.');
    if (!checking) return setChecking(true);
    const { error } = await reviseProfile({ input: toRevision(form.values, integration.id, begun.version) });
    if (!error) return onSaved();
    const described = describeError(error);
    setProblem(described.message);
    if (described.code === 'CONFLICT') onStale();
    if (Object.keys(described.fields).length > 0) showErrors(described.fields);
  }

  return (
    <Panel
      title={checking ? `Review version ${begun.version + 1}` : 'Edit profile'}
      lead={
        checking ? 'These are the changes in the new version. Nothing has been saved yet.' : `You are editing version ${begun.version}.`
      }
    >
      <LeaveGuard unsaved={changes.length > 0} onLeave={() => draft.keep(null)} />
      <form ref={formElement} onSubmit={(event) => void submit(event)} noValidate aria-label="Profile">
        <Stack gap="md" maw={checking ? undefined : 640}>
          {problem && <ErrorMessage message={problem} />}
          {integration.profile.version !== begun.version && (
            <Group gap="sm">
              <Text size="sm">
                Version {integration.profile.version} is now current. Your changes are kept; everything else shows the saved values.
              </Text>
              <Button variant="default" onClick={goOnFromStored}>
                Continue from version {integration.profile.version}
              </Button>
            </Group>
          )}
          {checking ? (
            <>
              <div ref={(element) => element?.focus()} tabIndex={-1} role="group" aria-label="What changes" style={{ outline: 'none' }}>
                <ChangeList changes={changes} />
              </div>
              {changes.some(({ field }) => field === 'requestedScopes') && (
                <Text size="sm">
                  The sandbox gets these scopes at once, and its test data is regenerated: the current connections, link codes and
                  identifiers disappear, and stored cursors are refused with <code>invalid_cursor</code>. You can do this 6 times an hour.
                </Text>
              )}
            </>
          ) : (
            fields
              .filter(({ revisable }) => revisable)
              .map((field) => <ProfileControl key={field.name} {...{ field, form }} scopes={service.scopes} />)
          )}
        </Stack>
        <Group gap="sm" mt="xl">
          <Button variant="default" onClick={checking ? () => setChecking(false) : onClose}>
            {checking ? 'Back' : 'Cancel'}
          </Button>
          <Button type="submit" loading={fetching}>
            {checking ? `Save version ${begun.version + 1}` : 'Review changes'}
          </Button>
        </Group>
      </form>
    </Panel>
  );
}

const inputs = {
  line: {},
  email: { type: 'email' },
  url: { type: 'url', inputMode: 'url', placeholder: 'https://' },
} as const;

type ControlProps = { field: ProfileField; form: DraftForm; scopes: Service['scopes'] };

/** What is chosen has a control of its own. The logo has a panel. */
const choices: Readonly<Partial<Record<string, (props: ControlProps) => ReactNode>>> = {
  country: ({ field, form }) => <CountryField label={field.label} {...form.getInputProps('country')} />,
  requestedScopes: ({ field, form, scopes }) => (
    <ScopeChoice
      {...{ label: field.label, form, scopes }}
      description="The smallest set that serves your purpose. Changing scopes regenerates the test data: the sandbox’s connections, link codes, identifiers and revocations are removed."
    />
  ),
  pollingCadenceMinutes: ({ field, form }) => (
    <WholeNumberField
      label={field.label}
      description="How often your back end will poll, from 15 to 1,440 minutes."
      required
      {...form.getInputProps('pollingCadenceMinutes')}
    />
  ),
  webhookModel: ({ field, form }) => (
    <Radio.Group label={field.label} required {...form.getInputProps('webhookModel')}>
      <Stack gap="xs" mt="sm">
        {Object.entries(webhookModelWords).map(([value, words]) => (
          <Radio key={value} value={value} label={words} />
        ))}
      </Stack>
    </Radio.Group>
  ),
  logoId: () => null,
} satisfies Readonly<Record<ChosenField, (props: ControlProps) => ReactNode>>;

/** The input for one field. */
function ProfileControl(props: ControlProps) {
  const { field, form } = props;
  const { name, label } = field;
  const typed = typedInto(name);
  if (!typed) return choices[name]?.(props);
  const description = field.consentRelevant ? 'Users consent to this, so after a change they have to consent again.' : undefined;
  const { as, longest } = typed;
  const given = form.getInputProps(name);
  const input = { label, description, longest, required: isRequired(name), ...given, value: String(given.value) };
  return as === 'paragraphs' ? <LongText minRows={2} maxRows={12} {...input} /> : <ShortText {...inputs[as]} {...input} />;
}
