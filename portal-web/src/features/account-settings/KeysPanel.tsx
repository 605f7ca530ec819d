import { Stack, Switch } from '@mantine/core';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { graphql } from '../../graphql/graphql.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useSession } from '../session/SessionContext.ts';

const setSingleKeysMutation = graphql(`
  mutation SetSingleKeys($input: SetSingleKeysInput!) {
    setSingleKeys(input: $input)
  }
`);

/** Whether single keys do something. Anyone who dictates, or presses keys by accident, switches them off. */
export function KeysPanel() {
  const { viewer, refresh } = useSession();
  const [{ fetching, error }, save] = useMutation(setSingleKeysMutation);

  async function change(on: boolean) {
    const { data } = await save({ input: { on } });
    if (data) refresh();
  }

  return (
    <Panel title="Keys" lead="The account menu lists the keys that work on each page.">
      <Stack gap="md">
        {error && <ErrorMessage message={describeError(error).message} />}
        <Switch
          label="Single keys"
          description="Such as / for the search. Without them, ⌘K and Ctrl K still work, and everything has a button or link."
          checked={viewer?.singleKeys ?? true}
          disabled={fetching}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
      </Stack>
    </Panel>
  );
}
