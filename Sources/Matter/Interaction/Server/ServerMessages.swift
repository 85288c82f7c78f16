internal import Base

/// What the owner of an `InteractionServer` is to send.
package enum ServerTransmit: Equatable, Sendable {
    /// - `isLast`: the owner closes the exchange once it is sent.
    case say(InteractionMessage, on: ExchangeHandle, isLast: Bool)
    /// The report of a subscription. The owner opens an exchange in the session and calls
    /// `opened(id, on:)`, or `failed(id)`, before it does anything else with the server.
    case ask(InteractionMessage, in: SessionHandle, id: UInt32)
    /// Nothing more will be said on this exchange.
    case close(ExchangeHandle)
}

/// What the owner of an `InteractionServer` is to do, and to answer then or later.
package enum ServerEvent: Equatable, Sendable {
    case invoke(CommandInvocation)
    case write(AttributeWrite)
}

package struct InvocationID: Hashable, Sendable {
    let number: UInt64

    package init(number: UInt64) { self.number = number }
}

package struct WriteID: Hashable, Sendable {
    let number: UInt64

    package init(number: UInt64) { self.number = number }
}

/// A command to carry out: it exists, the accessor may invoke it, and it was timed where it must.
package struct CommandInvocation: Equatable, Sendable {
    package let id: InvocationID
    package let endpoint: EndpointID
    package let cluster: ClusterID
    package let command: CommandID
    /// A structure; its members are not checked.
    package let fields: EncodedElement
    package let accessor: Accessor
    package let isTimed: Bool

    package init(
        id: InvocationID, endpoint: EndpointID, cluster: ClusterID, command: CommandID,
        fields: EncodedElement, accessor: Accessor, isTimed: Bool
    ) {
        self.id = id
        self.endpoint = endpoint
        self.cluster = cluster
        self.command = command
        self.fields = fields
        self.accessor = accessor
        self.isTimed = isTimed
    }
}

extension CommandInvocation {
    /// - Throws: `invalidCommand` to be answered when the fields are not the command's.
    package func fields<Invoked: Command>(
        of command: Invoked.Type
    ) throws(InteractionError) -> Invoked {
        do throws(TLVError) {
            return try fields.decoded(as: Invoked.self)
        } catch {
            throw .status(.invalidCommand, clusterStatus: nil)
        }
    }
}

/// How a command went.
package enum InvocationAnswer: Equatable, Sendable {
    case status(InteractionStatus, cluster: UInt8? = nil)
    case response(CommandID, EncodedElement)
}

extension InvocationAnswer {
    package static let success = InvocationAnswer.status(.success)

    package static func response<Response: ResponseCommand>(
        _ response: Response
    ) -> InvocationAnswer {
        .response(Response.id, EncodedElement(attribute: response))
    }
}

/// An attribute to change: the accessor may, and the value is of the attribute's type. Whether
/// it is within the attribute's bounds is for the owner to say.
package struct AttributeWrite: Equatable, Sendable {
    package enum Operation: Equatable, Sendable {
        /// The value takes the place of the old one.
        case replace
        /// The value is an item to be put at the end of the list.
        case append
    }

    package let id: WriteID
    package let path: ConcreteAttributePath
    package let operation: Operation
    /// Of a list that is kept for each fabric, the accessor's own items alone, each marked with
    /// its fabric; `InteractionServer.result` is the whole list.
    package let value: EncodedElement
    package let accessor: Accessor

    package init(
        id: WriteID, path: ConcreteAttributePath, operation: Operation, value: EncodedElement,
        accessor: Accessor
    ) {
        self.id = id
        self.path = path
        self.operation = operation
        self.value = value
        self.accessor = accessor
    }
}
