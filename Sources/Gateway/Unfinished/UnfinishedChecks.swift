internal import MatterNode

extension PrepareReport {
    /// Each thing that is unfinished, with what a person can do about it.
    mutating func check(_ unfinished: Unfinished) {
        for run in unfinished.runs {
            checks.append(
                Check(
                    "interrupted pairing",
                    .warning(
                        UnfinishedOutput.state(of: run),
                        remedy: "see that it has power; remove \(run.nodeID.text) gives it up")))
        }
        for removal in unfinished.removals {
            checks.append(
                Check(
                    "pending removal",
                    .warning(
                        UnfinishedOutput.state(of: removal),
                        remedy: "give it power once, or reset it;"
                            + " remove \(removal.nodeID.text) --force ends the waiting")))
        }
    }
}
