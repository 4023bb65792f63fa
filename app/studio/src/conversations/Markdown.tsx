import { Anchor } from "@mantine/core";
import { memo, useMemo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import classes from "./conversations.module.css";
import type { Statement } from "./evidence";
import { markEvidence } from "./markedEvidence";

const PLUGINS = [remarkGfm];
const NOTHING: readonly Statement[] = [];

const ELSEWHERE = /^(https?:\/\/|mailto:)/i;

/** A link where it leads to another site; else its text alone: scripts do not run, and no path leads into this page. */
function Elsewhere({ address, children }: { address: string | undefined; children: React.ReactNode }) {
  if (address === undefined || !ELSEWHERE.test(address)) return <span>{children}</span>;
  return (
    <Anchor href={address} target="_blank" rel="noopener noreferrer" inherit>
      {children}
    </Anchor>
  );
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <Elsewhere address={href}>{children}</Elsewhere>,
  // pictures of elsewhere are not loaded: they would tell who reads this
  img: ({ src, alt }) => (
    <Elsewhere address={typeof src === "string" ? src : undefined}>{alt === "" ? src : alt}</Elsewhere>
  ),
  mark: ({ node, children }) => (
    <mark className={classes.evidence}>
      {children}
      {node?.properties.dataMemories !== undefined && <sup>{String(node.properties.dataMemories)}</sup>}
    </mark>
  ),
  table: ({ children }) => (
    <div className={classes.wide}>
      <table>{children}</table>
    </div>
  ),
  h1: "h4",
  h2: "h4",
  h3: "h4",
};

interface MarkdownProps {
  readonly text: string;
  readonly statements?: readonly Statement[];
}

/** A text as Markdown, in which the sentences stand out that statements were taken from, with their numbers. */
export const Markdown = memo(function Markdown({ text, statements = NOTHING }: MarkdownProps) {
  const marks = useMemo(() => [markEvidence(statements)], [statements]);
  return (
    <div className={classes.markdown}>
      <ReactMarkdown remarkPlugins={PLUGINS} rehypePlugins={marks} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
});
