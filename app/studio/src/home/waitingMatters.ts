import type { DecisionsQuery, HomeQuery } from "../../generated/operations";

/** How many pairs of a kind are shown. */
export const MOST_PAIRS = 10;

/** What waits for a decision, as far as it is shown. */
interface WaitingMatters {
  readonly contradictions: DecisionsQuery["contradictions"];
  readonly alikeEntities: DecisionsQuery["alikeEntities"];
  readonly suggestions: HomeQuery["deletionSuggestions"]["edges"][number]["node"][];
  readonly jobs: HomeQuery["failedJobs"]["edges"][number]["node"][];
  readonly count: number;
  readonly isMore: boolean; // than are counted: further pages follow, or the pairs are not known
}

/** Return what waits; of `decisions` one pair more than is shown was asked for, by which more are known. */
export function mattersOf(
  { deletionSuggestions, failedJobs }: Pick<HomeQuery, "deletionSuggestions" | "failedJobs">,
  decisions: DecisionsQuery | undefined,
): WaitingMatters {
  const { contradictions = [], alikeEntities = [] } = decisions ?? {};
  const matters = {
    contradictions: contradictions.slice(0, MOST_PAIRS),
    alikeEntities: alikeEntities.slice(0, MOST_PAIRS),
    suggestions: deletionSuggestions.edges.map((edge) => edge.node),
    jobs: failedJobs.edges.map((edge) => edge.node),
  };
  return {
    ...matters,
    count: Object.values(matters).reduce((sum, each) => sum + each.length, 0),
    isMore:
      decisions === undefined ||
      contradictions.length > MOST_PAIRS ||
      alikeEntities.length > MOST_PAIRS ||
      deletionSuggestions.pageInfo.hasNextPage ||
      failedJobs.pageInfo.hasNextPage,
  };
}
