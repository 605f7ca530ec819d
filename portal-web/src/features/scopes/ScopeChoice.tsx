import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DraftForm } from '../new-integration/useDraft.ts';
import type { Service } from '../integration/useIntegration.ts';
import { ScopeAdvice } from './ScopeAdvice.tsx';
import { Fold } from '../../ui/layout/Fold.tsx';
import { counted } from '../../ui/text/counted.ts';
import classes from './ScopeChoice.module.css';

type ScopeChoiceProps = {
  label: string;
  description: string;
  form: DraftForm;
  scopes: Service['scopes'];
  /** Whether it is known that the service has nothing to say of these scopes, so that it is not asked. */
  sound?: boolean;
  /** Those that are shown at once; the others are folded. All where it is not given. */
  shown?: readonly string[];
  /** Stands above the boxes. */
  children?: ReactNode;
};

/** All scopes with what each shows. One that shows nothing without another says so beside its box. */
export function ScopeChoice({ label, description, form, scopes, sound = false, shown, children }: ScopeChoiceProps) {
  const chosen = form.values.requestedScopes;
  const folded = shown ? scopes.filter(({ name }) => !shown.includes(name)) : [];
  const boxes = (of: Service['scopes']) =>
    of.map(({ name, grants, needs }) => (
      <div key={name} className={classes.scope}>
        <Checkbox
          value={name}
          label={name}
          description={grants}
          error={needs && chosen.includes(name) && !chosen.includes(needs) && `Shows nothing without ${needs}.`}
        />
      </div>
    ));
  return (
    <>
      <Checkbox.Group label={label} description={description} required {...form.getInputProps('requestedScopes')}>
        {children}
        <Stack gap="xs" mt="sm">
          {boxes(scopes.filter((each) => !folded.includes(each)))}
          {folded.length > 0 && (
            <Fold summary={counted(folded.length, 'other scope')}>
              <Stack gap="xs">{boxes(folded)}</Stack>
            </Fold>
          )}
        </Stack>
      </Checkbox.Group>
      {!sound && <ScopeAdvice scopes={chosen} told={form.errors['requestedScopes']} />}
    </>
  );
}
