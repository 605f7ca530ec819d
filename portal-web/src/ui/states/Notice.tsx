import { Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';

type NoticeProps = {
  title: string;
  words: string;
  /** Whether something is lost or missed already. */
  grave?: boolean;
  actions?: ReactNode;
  children?: ReactNode;
};

/** Something that has gone differently from what the reader expects, and what they can do about it. */
export function Notice({ title, words, grave = false, actions, children }: NoticeProps) {
  return (
    <div className={classes.notice} data-grave={grave || undefined} role="status">
      <IconAlertTriangle size={20} aria-hidden />
      <div>
        <Text fw={650}>{title}</Text>
        <Text size="sm" maw={640} mt={4}>
          {words}
        </Text>
        {actions && (
          <Group gap="xs" mt="xs">
            {actions}
          </Group>
        )}
        {children}
      </div>
    </div>
  );
}
