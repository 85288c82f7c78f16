internal import Matter
internal import MatterNode

/// Opening devices for others, and what an installer scans.
extension CommandRunner {
    func share(_ selector: NodeSelector, _ seconds: Int) async throws(Explanation) -> Output {
        let record = try node(selector).node
        let gateway = try await surroundings.gateway()
        do throws(GatewayError) {
            let window = try await gateway.share(record, seconds: seconds)
            let picture = await surroundings.picture(of: ShareOutput.code(of: window))
            return ShareOutput.window(window, of: record, picture: picture)
        } catch { throw Explanation(error, of: record) }
    }

    func labels(_ labels: [InstallerLabel]) async -> Output {
        var pictures: [[String]?] = []
        for label in labels {
            pictures.append(await surroundings.picture(of: Array(label.code.utf8)))
        }
        return ShareOutput.labels(labels, pictures: pictures)
    }

    func stopSharing(_ selector: NodeSelector) async throws(Explanation) -> Output {
        let record = try node(selector).node
        let gateway = try await surroundings.gateway()
        do throws(GatewayError) {
            try await gateway.stopSharing(record)
            return DeviceOutput.done(record, "is no longer open for others")
        } catch { throw Explanation(error, of: record) }
    }
}
