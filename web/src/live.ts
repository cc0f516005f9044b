// A run under way: the tool that serves the page is asked for more, once a second.
import type { PageData } from "./data";

export function follow(take: (data: PageData) => void, trouble: (text: string) => void): void {
  let failures = 0;
  const ask = async (): Promise<void> => {
    try {
      const answer = await fetch("data.json", { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.statusText);
      const data = (await answer.json()) as PageData;
      failures = 0;
      trouble("");
      take(data);
      if (!data.live) return;
    } catch {
      if (++failures >= 5) {
        trouble("The tool no longer answers; what is shown is what it said last.");
        return;
      }
    }
    setTimeout(ask, 1000);
  };
  setTimeout(ask, 1000);
}
