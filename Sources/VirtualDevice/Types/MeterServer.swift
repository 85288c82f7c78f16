internal import Base
internal import Matter

/// The power that flows and the energy that has flowed. Application Clusters §2.12 (IMPE, CUME)
/// and §2.13 (ALTC).
struct MeterServer: Sendable {
    /// Milliwatts of what is plugged in, when it is on.
    private var load = 42_000.0
    private var milliwatts = 0.0
    private var milliwattHours = 0.0
    private let start: Instant
    /// Up to when the energy is counted.
    private var counted: Instant
    private var pace: Pace
    private var noise: Noise
    private var events = BoundedQueue<ModelEvent>()

    init(noise: Noise, at now: Instant) {
        self.noise = noise
        start = now
        counted = now
        pace = Pace(every: Self.interval, from: now)
    }

    func declare(in table: inout AttributeTable, on endpoint: EndpointID) {
        table.add(ElectricalPowerMeasurement.self, on: endpoint, revision: 1, features: 0x2)
        table.set(ElectricalPowerMeasurement.powerMode, OpenEnum(.ac), on: endpoint)
        table.set(ElectricalPowerMeasurement.numberOfMeasurementTypes, 1, on: endpoint)
        table.set(
            ElectricalPowerMeasurement.accuracy,
            .own([MeasurementAccuracy.activePower]), on: endpoint)
        table.add(ElectricalEnergyMeasurement.self, on: endpoint, revision: 1, features: 0x5)
        table.set(
            ElectricalEnergyMeasurement.accuracy,
            .own(MeasurementAccuracy.energy), on: endpoint)
        // SET: the endpoint measures itself.
        table.add(PowerTopology.self, on: endpoint, revision: 1, features: 0x4)
        table.set(PowerTopology.availableEndpoints, [endpoint], on: endpoint)
    }

    func publish(to table: inout AttributeTable, on endpoint: EndpointID) {
        let power = Int64(milliwatts.rounded())
        table.set(ElectricalPowerMeasurement.activePower, .value(power), on: endpoint)
        table.set(ElectricalPowerMeasurement.rmsVoltage, .value(Self.voltage), on: endpoint)
        table.set(
            ElectricalPowerMeasurement.rmsCurrent, .value(power * 1000 / Self.voltage),
            on: endpoint)
        table.set(
            ElectricalEnergyMeasurement.cumulativeEnergyImported, .value(energy), on: endpoint)
    }

    private var energy: ElectricalEnergyMeasurement.EnergyMeasurementStruct {
        var energy = ElectricalEnergyMeasurement.EnergyMeasurementStruct()
        energy.energy = Int64(milliwattHours)
        energy.startSystime = 0
        energy.endSystime = UInt64((shown - start).milliseconds)
        return energy
    }

    /// The last step; between two of them energy is counted, not told.
    private var shown: Instant { pace.next + .nanoseconds(-Self.interval.nanoseconds) }

    /// - Parameter isOn: since the last call, and from now on.
    mutating func advance(to now: Instant) {
        while let instant = pace.takeStep(at: now) {
            count(to: instant)
            if milliwatts > 0 { draw() }
            if Int64(milliwattHours) > told {
                told = Int64(milliwattHours)
                let energy = energy
                events.append(
                    .energyMeasured(CumulativeEnergyMeasured { $0.energyImported = energy }))
            }
        }
        count(to: now)
    }

    private var told: Int64 = 0

    private mutating func count(to instant: Instant) {
        guard instant > counted else { return }
        milliwattHours += milliwatts * Double((instant - counted).milliseconds) / 3_600_000
        counted = instant
    }

    /// To be called after `advance`, so that what flowed before is counted.
    mutating func turn(on isOn: Bool) {
        if isOn { draw() } else { milliwatts = 0 }
    }

    mutating func set(load milliwatts: Double, isOn: Bool) {
        load = milliwatts
        turn(on: isOn)
    }

    /// A load wavers by two parts of a hundred.
    private mutating func draw() { milliwatts = load * (1 + 0.02 * noise.signed()) }

    /// Nothing moves while nothing flows.
    var nextDeadline: Instant? { milliwatts > 0 ? pace.next : nil }

    mutating func nextEvent() -> ModelEvent? { events.next() }

    private static let interval = Duration.seconds(10)
    /// Millivolts.
    private static let voltage: Int64 = 230_000
}

/// Core §7.19.2.27. Of a meter that is right to one part of a hundred.
private struct MeasurementAccuracy: TLVStructure, Sendable {
    /// Core §7.19.2.26
    var measurementType: UInt16 = 0
    var isMeasured = true
    var minMeasuredValue: Int64 = 0
    var maxMeasuredValue: Int64 = 0
    var accuracyRanges: [Range] = []

    struct Range: TLVStructure, Sendable {
        var rangeMin: Int64 = 0
        var rangeMax: Int64 = 0
        var percentMax: UInt16 = 0

        mutating func fields(_ field: inout some FieldList) throws(TLVError) {
            try field(0, "rangeMin", &rangeMin)
            try field(1, "rangeMax", &rangeMax)
            try field(2, "percentMax", &percentMax)
        }
    }

    mutating func fields(_ field: inout some FieldList) throws(TLVError) {
        try field(0, "measurementType", &measurementType)
        try field(1, "measured", &isMeasured)
        try field(2, "minMeasuredValue", &minMeasuredValue)
        try field(3, "maxMeasuredValue", &maxMeasuredValue)
        try field(4, "accuracyRanges", &accuracyRanges)
    }

    /// Up to 3680 W, what 16 A carry.
    static let activePower = accuracy(of: 5, upTo: 3_680_000)
    /// Up to a gigawatt-hour.
    static let energy = accuracy(of: 14, upTo: 1_000_000_000_000)

    private static func accuracy(of type: UInt16, upTo maximum: Int64) -> Self {
        Self {
            $0.measurementType = type
            $0.maxMeasuredValue = maximum
            $0.accuracyRanges = [
                Range {
                    $0.rangeMax = maximum
                    $0.percentMax = 1_00
                }
            ]
        }
    }
}
