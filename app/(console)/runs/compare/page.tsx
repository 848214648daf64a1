import { ComparePage } from "@/components/compare/compare-page";
import { comparedRuns } from "@/server/api/page-lookup";

interface CompareRouteProps {
  searchParams: Promise<{ runs?: string | string[] }>;
}

/** What cannot be compared is found out here, so that it costs the page no refused request. */
export default async function CompareRunsRoute({ searchParams }: CompareRouteProps) {
  const { runs = [] } = await searchParams;
  const left = await comparedRuns([runs].flat().flatMap((list) => list.split(",")));
  return <ComparePage {...left} />;
}
