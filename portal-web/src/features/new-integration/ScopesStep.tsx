import { Checkbox, Stack, Text } from '@mantine/core';
import { ScopeAdvice } from '../scopes/ScopeAdvice.tsx';
import type { Service } from '../integration/useIntegration.ts';
import classes from './steps.module.css';
import type { DraftForm } from './useDraft.ts';

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
