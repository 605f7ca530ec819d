import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import type { Commands } from './firstCallCommands.ts';

type Tool = keyof Commands;
const tools: readonly { readonly value: Tool; readonly label: string }[] = [
  { value: 'kit', label: 'Kit (Node 22.13 or later)' },
  { value: 'curl', label: 'curl' },
];

/** What the reader calls with, as they chose last on any page. */
export function useTool() {
  const [tool, choose] = useLocalStorage<Tool>({ key: 'svc.tool', defaultValue: 'kit', getInitialValueInEffect: false });
  return [tool === 'curl' ? 'curl' : 'kit', choose] as const;
}

/** A command with the operators' kit or with curl. */
export function CommandChoice({ commands, label }: { commands: Commands; label: string }) {
  const [tool, choose] = useTool();
  return (
    <Stack gap={6}>
      <Group gap="0.25rem 0.75rem">
        <SegmentedControl aria-label="Call with" size="xs" w="fit-content" data={[...tools]} value={tool} onChange={choose} />
        <Text size="sm" c="dimmed" style={{ visibility: tool === 'kit' ? undefined : 'hidden' }}>
          <code>node -v</code> says which Node you have. With an older Node, choose curl.
        </Text>
      </Group>
      <CopyableCode value={commands[tool]} label={label} block />
    </Stack>
  );
}
